/**
 * Scores the outcomes of operators.
 *
 * <p>Reading order: {@link dev.abacus.topology.scoring.Scorer} chooses between label and judge, and
 * returns a {@link dev.abacus.topology.scoring.Score}. {@code FieldsScore} scores written fields,
 * {@code ItemsScore} items of references, and {@code RankScore} the order of items, all with {@code
 * FieldMetrics}, which compares {@code LabelValues} and {@code WordSets}. {@link
 * dev.abacus.topology.scoring.Judge} asks a model.
 */
@NullMarked
package dev.abacus.topology.scoring;

import org.jspecify.annotations.NullMarked;
