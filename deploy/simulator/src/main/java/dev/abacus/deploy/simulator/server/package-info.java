/**
 * The endpoint over HTTP. {@link dev.abacus.deploy.simulator.server.SimulatorServer} routes; {@code
 * CallHandler} checks the key, injects faults and delays; {@code ChatService} and {@code
 * EmbeddingService} answer; {@code CallStatistics} counts. {@link
 * dev.abacus.deploy.simulator.server.InProcessModels} answers without a server.
 */
@NullMarked
package dev.abacus.deploy.simulator.server;

import org.jspecify.annotations.NullMarked;
