/**
 * Techniques that compare a document with others: joins and top-k.
 *
 * <p>Reading order: {@link dev.abacus.topology.operator.join.References} and {@link
 * dev.abacus.topology.operator.join.ReferenceView} are the items that a document is compared with;
 * {@link dev.abacus.topology.operator.join.SampledReferences} is the subset that a sample sees.
 * {@link dev.abacus.topology.operator.join.TopKExecutor}, {@link
 * dev.abacus.topology.operator.join.NestedLoopsJoinExecutor}, {@link
 * dev.abacus.topology.operator.join.EmbeddingJoinExecutor} and {@link
 * dev.abacus.topology.operator.join.ChoiceJoinExecutor} are the techniques of searches and joins,
 * {@link dev.abacus.topology.operator.join.ResolutionExecutor} those of entity resolution; {@link
 * dev.abacus.topology.operator.join.ChoicePrompt} is the call that the last two share. The first
 * two joins also decide a {@link dev.abacus.topology.operator.join.StreamPair}, one pair of a join
 * of two streams.
 */
@NullMarked
package dev.abacus.topology.operator.join;

import org.jspecify.annotations.NullMarked;
