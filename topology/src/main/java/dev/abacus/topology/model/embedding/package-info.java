/**
 * Embedders that need no endpoint, and decorators for any embedder.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.embedding.MiniLmEmbedder} with {@link
 * dev.abacus.topology.model.embedding.TextChunks}, {@code MiniLmModel} and {@code MiniLmTokenizer};
 * then {@link dev.abacus.topology.model.embedding.CachingEmbedder} and {@link
 * dev.abacus.topology.model.embedding.BatchingEmbedder}.
 */
@NullMarked
package dev.abacus.topology.model.embedding;

import org.jspecify.annotations.NullMarked;
