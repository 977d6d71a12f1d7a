/**
 * Calls of models: the only place of the product that does any.
 *
 * <p>Read {@link dev.abacus.topology.model.ModelClient} with {@link
 * dev.abacus.topology.model.ModelRequest} and {@link dev.abacus.topology.model.ModelAnswer} first,
 * then {@link dev.abacus.topology.model.ModelFailure}: a failure is a value that says whether
 * another attempt can help. {@link dev.abacus.topology.model.openai.OpenAiModelClient} makes one
 * attempt; {@link dev.abacus.topology.model.RetryingModelClient} is the one place that repeats it;
 * {@link dev.abacus.topology.model.ReceiptingModelClient}, {@link
 * dev.abacus.topology.model.MeteredModelClient} and {@link dev.abacus.topology.model.ContextGuard}
 * wrap either, and {@link dev.abacus.topology.model.UncachedPricingModelClient} prices samples.
 * {@link dev.abacus.topology.model.Embedder} is the same story for embeddings, and {@link
 * dev.abacus.topology.model.Embedders} finds one by name.
 *
 * <p>From the outside in, a live document's client is: receipts, context guard, retries, meter,
 * endpoint. So a stored answer costs nothing, a prompt that cannot fit is never sent, and every
 * single attempt is metered.
 */
@NullMarked
package dev.abacus.topology.model;

import org.jspecify.annotations.NullMarked;
