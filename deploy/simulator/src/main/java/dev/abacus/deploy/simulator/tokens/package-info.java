/**
 * Numbers of texts: {@link dev.abacus.deploy.simulator.tokens.Tokenizer} for usage and latency,
 * {@link dev.abacus.deploy.simulator.tokens.HashedEmbedding} for the embeddings endpoint.
 */
@NullMarked
package dev.abacus.deploy.simulator.tokens;

import org.jspecify.annotations.NullMarked;
