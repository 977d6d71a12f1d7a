/**
 * Search for similar vectors.
 *
 * <p>Reading order: {@link dev.abacus.topology.reference.index.VectorIndex}, the interface; {@link
 * dev.abacus.topology.reference.index.ExactIndex}; {@code HnswIndex}; {@link
 * dev.abacus.topology.reference.index.AdaptiveIndex}, which combines both and is used in
 * production.
 */
@NullMarked
package dev.abacus.topology.reference.index;

import org.jspecify.annotations.NullMarked;
