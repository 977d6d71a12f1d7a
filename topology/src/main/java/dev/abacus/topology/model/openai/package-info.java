/**
 * Chat models and embedders behind OpenAI-compatible HTTP endpoints, over langchain4j.
 *
 * <p>Read {@link dev.abacus.topology.model.openai.OpenAiModelClient} first; then {@code
 * ChatRequests} (the request), {@code UnsupportedParameters} (what an endpoint refuses), {@code
 * HttpTransport} (connections and deadlines) and {@code FailureClassifier} (errors to values).
 */
@NullMarked
package dev.abacus.topology.model.openai;

import org.jspecify.annotations.NullMarked;
