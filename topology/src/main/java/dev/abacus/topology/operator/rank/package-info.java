/**
 * Techniques that order the items of a list.
 *
 * <p>Reading order: {@link dev.abacus.topology.operator.rank.RankPrompt} is what a model is asked.
 * {@link dev.abacus.topology.operator.rank.RankCall} is the part that the techniques share. {@link
 * dev.abacus.topology.operator.rank.PointwiseRankingExecutor}, {@link
 * dev.abacus.topology.operator.rank.ListwiseRankingExecutor} and {@link
 * dev.abacus.topology.operator.rank.PairwiseRankingExecutor} are the techniques.
 */
@NullMarked
package dev.abacus.topology.operator.rank;

import org.jspecify.annotations.NullMarked;
