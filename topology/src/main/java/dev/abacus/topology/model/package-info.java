/**
 * The interface to models: requests, answers, failures, and the decorators that all providers
 * share. No class here knows an HTTP API; a provider is a package of its own, such as {@code
 * openai}.
 *
 * <p>Reading order:
 *
 * <ol>
 *   <li>{@link dev.abacus.topology.model.ModelClient} with {@link
 *       dev.abacus.topology.model.ModelRequest}, {@link dev.abacus.topology.model.ModelAnswer} and
 *       {@link dev.abacus.topology.model.ModelFailure}; a failure is a value that says whether a
 *       retry can help.
 *   <li>{@link dev.abacus.topology.model.Embedder} and {@link
 *       dev.abacus.topology.model.EmbeddingAnswer}: the same for embeddings.
 *   <li>{@link dev.abacus.topology.model.ModelProvider} creates both; {@link
 *       dev.abacus.topology.model.RoutingModelClient} chooses the provider of a model.
 *   <li>The decorators: of the calls of one document {@link
 *       dev.abacus.topology.model.CallDecorator}, as {@link
 *       dev.abacus.topology.model.ReceiptedCalls} and {@link
 *       dev.abacus.topology.model.PromptCacheMeter}; of all calls {@code token.ContextGuard},
 *       {@link dev.abacus.topology.model.Retries}, and {@link
 *       dev.abacus.topology.model.ModelListener}.
 * </ol>
 *
 * <p>The client of a live document consists, from the outside in, of receipts, context guard,
 * retries, images, listener, routing, provider. So a recorded answer costs nothing, a prompt that
 * cannot fit is never sent, and the listener hears of every attempt.
 */
@NullMarked
package dev.abacus.topology.model;

import org.jspecify.annotations.NullMarked;
