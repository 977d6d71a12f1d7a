/**
 * A simulated, OpenAI-compatible model endpoint. Start at {@link
 * dev.abacus.deploy.simulator.SimulatedEndpoint}, which routes: {@code CallHandler} checks the key,
 * injects faults and delays; {@code ChatService} and {@code EmbeddingService} answer, or scripts
 * ({@link dev.abacus.deploy.simulator.ModelService}); {@code AdminService} changes {@code
 * EndpointState}; {@code CallStatistics} counts. {@link
 * dev.abacus.deploy.simulator.InProcessModels} answers without a server. Packages in the order of a
 * call: {@code wire} (OpenAI's JSON), {@code prompt} (the task), {@code truth} (the right answers),
 * {@code answering} (the answers of this model), {@code skill} (its ability and random effects);
 * {@code tokens} and {@code fault} support them.
 */
@NullMarked
package dev.abacus.deploy.simulator;

import org.jspecify.annotations.NullMarked;
