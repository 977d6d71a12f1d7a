/**
 * References: collections of items that top-k operators and joins search.
 *
 * <pre>
 *   reference topic ──► feed.ReferenceTopology ──► embedded topic ──► feed.ReferenceFollower
 *                        (one instance embeds         (compacted)      (every instance) ──► ReferenceCollection
 *                         each item, exactly once)                                             └─ index
 * </pre>
 *
 * <p>Reading order: {@link dev.abacus.topology.reference.ReferenceCollection}, which operators
 * search; {@link dev.abacus.topology.reference.ItemEmbedder}, which maps an item to an {@link
 * dev.abacus.topology.reference.EmbeddedItem}; then {@code index} for vector search and {@code
 * feed} for Kafka.
 */
@NullMarked
package dev.abacus.topology.reference;

import org.jspecify.annotations.NullMarked;
