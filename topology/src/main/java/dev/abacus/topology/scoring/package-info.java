/**
 * How good an operator's output is.
 *
 * <p>{@link dev.abacus.topology.scoring.Scorer} compares an output with what is known of the right
 * one, field by field with {@link dev.abacus.topology.scoring.FieldMetrics} or all together, or
 * asks the {@link dev.abacus.topology.scoring.Judge} where nothing is known. {@link
 * dev.abacus.topology.scoring.Tally} is what most metrics count; {@link
 * dev.abacus.topology.scoring.Words} says when texts are alike. The result is a {@link
 * dev.abacus.topology.scoring.Score}: a quality, or "unknown".
 */
@NullMarked
package dev.abacus.topology.scoring;

import org.jspecify.annotations.NullMarked;
