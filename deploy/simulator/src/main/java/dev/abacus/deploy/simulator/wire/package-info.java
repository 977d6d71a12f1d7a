/**
 * OpenAI's shapes: requests ({@link dev.abacus.deploy.simulator.wire.ChatRequest}, {@link
 * dev.abacus.deploy.simulator.wire.EmbeddingRequest}), responses, and {@link
 * dev.abacus.deploy.simulator.wire.ApiException} for refusals.
 */
@NullMarked
package dev.abacus.deploy.simulator.wire;

import org.jspecify.annotations.NullMarked;
