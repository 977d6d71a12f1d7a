/**
 * The search for similar vectors. {@link dev.abacus.topology.reference.index.VectorIndex} is what
 * it is for others; {@link dev.abacus.topology.reference.index.AdaptiveIndex} is what is used: an
 * {@link dev.abacus.topology.reference.index.ExactIndex} (over {@code QuantizedBlock}s), and beside
 * it an {@code HnswIndex} once there are many. {@link
 * dev.abacus.topology.reference.index.StoredIndex} puts vectors into an external store instead.
 */
@NullMarked
package dev.abacus.topology.reference.index;

import org.jspecify.annotations.NullMarked;
