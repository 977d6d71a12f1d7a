/**
 * The provider for OpenAI-compatible HTTP endpoints, over langchain4j.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.openai.OpenAiProvider} with {@link
 * dev.abacus.topology.model.openai.Endpoints}; {@code OpenAiModelClient} and {@code
 * OpenAiEmbedder}; then {@code ChatRequests} (the request), {@code Adjustment} and {@code
 * Adjustments} (what an endpoint does not accept), {@code HttpTransport} and {@code HttpCall}
 * (connections and time limits), {@code RateLimitHeaders}, {@code ServerRefusal}, {@code
 * RefusalBody} and {@code FailureClassifier} (from responses and exceptions to failures).
 */
@NullMarked
package dev.abacus.topology.model.openai;

import org.jspecify.annotations.NullMarked;
