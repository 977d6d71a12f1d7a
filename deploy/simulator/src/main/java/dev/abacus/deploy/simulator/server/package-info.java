/**
 * The endpoint over HTTP. {@link dev.abacus.deploy.simulator.server.SimulatorServer} routes; {@code
 * CallHandler} takes a call through key, fault, service ({@code ChatService}, {@code
 * EmbeddingService}) and {@code SimulatedLatency}; {@code CallStatistics} counts.
 */
@NullMarked
package dev.abacus.deploy.simulator.server;

import org.jspecify.annotations.NullMarked;
