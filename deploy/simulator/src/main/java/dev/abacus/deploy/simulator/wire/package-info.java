/**
 * The JSON of OpenAI's API: {@link dev.abacus.deploy.simulator.wire.ChatRequest}, {@link
 * dev.abacus.deploy.simulator.wire.ChatResponse}, {@link
 * dev.abacus.deploy.simulator.wire.EmbeddingRequest}, {@link
 * dev.abacus.deploy.simulator.wire.EmbeddingResponse}, and {@link
 * dev.abacus.deploy.simulator.wire.ApiException} for refusals.
 */
@NullMarked
package dev.abacus.deploy.simulator.wire;

import org.jspecify.annotations.NullMarked;
