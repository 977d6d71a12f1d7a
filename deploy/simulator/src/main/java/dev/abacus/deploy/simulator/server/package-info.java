/**
 * The endpoint over HTTP. {@link dev.abacus.deploy.simulator.server.SimulatorServer} routes; {@code
 * ModelCalls} takes a call through key, fault, service ({@code ChatService}, {@code
 * EmbeddingService}) and {@code Pace}; {@code Statistics} counts.
 */
@NullMarked
package dev.abacus.deploy.simulator.server;

import org.jspecify.annotations.NullMarked;
