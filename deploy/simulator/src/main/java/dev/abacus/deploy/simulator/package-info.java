/**
 * A simulated, OpenAI-compatible model endpoint. Start at {@link
 * dev.abacus.deploy.simulator.SimulatedEndpoint}; its rooms, in the order of a call: {@code server}
 * (HTTP) → {@code wire} (OpenAI's shapes) → {@code prompt} (what the call asks) → {@code answers}
 * (what is true) → {@code reading} (what this model makes of it) → {@code skill} (how able and how
 * lucky it is), with {@code tokens} and {@code fault} on the side.
 */
@NullMarked
package dev.abacus.deploy.simulator;

import org.jspecify.annotations.NullMarked;
