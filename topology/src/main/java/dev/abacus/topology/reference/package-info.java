/**
 * References: collections of items that top-k and joins look into.
 *
 * <pre>
 *   reference topic ──► feed.ReferenceTopology ──► embedded topic ──► feed.ReferenceFollower
 *                        (one instance embeds         (compacted)      (every instance) ──► ReferenceCollection
 *                         each item, exactly once)                                             └─ index
 * </pre>
 *
 * <p>{@link dev.abacus.topology.reference.ReferenceCollection} is what operators see; {@link
 * dev.abacus.topology.reference.ItemEmbedder} makes an {@link
 * dev.abacus.topology.reference.EmbeddedItem} of an item, with a {@link
 * dev.abacus.topology.model.embedding.BatchingEmbedder}; {@code index} finds similar vectors,
 * {@code feed} is the way through Kafka.
 */
@NullMarked
package dev.abacus.topology.reference;

import org.jspecify.annotations.NullMarked;
