/**
 * The in-process embedder, and decorators for all embedders.
 *
 * <p>Reading order: {@link dev.abacus.topology.model.embedding.MiniLmEmbedder} with {@link
 * dev.abacus.topology.model.embedding.TextChunks}, {@code MiniLmModel} and {@code MiniLmTokenizer};
 * {@link dev.abacus.topology.model.embedding.CachingEmbedder} with {@link
 * dev.abacus.topology.model.embedding.EmbeddingCache}; {@link
 * dev.abacus.topology.model.embedding.BatchingEmbedder}.
 */
@NullMarked
package dev.abacus.topology.model.embedding;

import org.jspecify.annotations.NullMarked;
