/**
 * The provider for OpenAI-compatible HTTP endpoints, over langchain4j.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.openai.OpenAiProvider} with {@link
 * dev.abacus.topology.model.openai.Endpoints}; {@code OpenAiModelClient} and {@code
 * OpenAiEmbedder}; then {@code ChatRequests} (the request), {@code UnsupportedParameters} (what an
 * endpoint refuses), {@code HttpTransport} (connections and deadlines), {@code ServerRefusal} and
 * {@code FailureClassifier} (from exceptions to failures).
 */
@NullMarked
package dev.abacus.topology.model.openai;

import org.jspecify.annotations.NullMarked;
