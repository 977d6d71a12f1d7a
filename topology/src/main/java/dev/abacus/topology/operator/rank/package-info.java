/**
 * Techniques that order the items of a list.
 *
 * <p>Reading order: {@link dev.abacus.topology.operator.rank.RankPrompt} is what a model is asked.
 * {@link dev.abacus.topology.operator.rank.RankExecutor} and {@link
 * dev.abacus.topology.operator.rank.RankCall} are the part that the techniques share. {@link
 * dev.abacus.topology.operator.rank.PointwiseOrder}, {@link
 * dev.abacus.topology.operator.rank.ListwiseOrder} and {@link
 * dev.abacus.topology.operator.rank.PairwiseOrder} are the techniques.
 */
@NullMarked
package dev.abacus.topology.operator.rank;

import org.jspecify.annotations.NullMarked;
