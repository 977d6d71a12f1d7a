/**
 * The state of the loop for one program: the fold of its events.
 *
 * <p>{@link dev.abacus.optimizer.loop.state.ProgramState} takes the events. It has one fold for
 * each kind of what is known:
 *
 * <ul>
 *   <li>what users and governor want: {@link dev.abacus.optimizer.loop.state.DesiredState};
 *   <li>what was sampled: {@link dev.abacus.optimizer.loop.event.SampleLedger};
 *   <li>what workers report, {@code WorkerReports}, and what of it decisions use, so that they do
 *       not follow each report: {@link dev.abacus.optimizer.loop.state.LiveCounts} and {@link
 *       dev.abacus.optimizer.loop.state.ModelAvailability};
 *   <li>what was believed before: {@link dev.abacus.optimizer.loop.state.PriorBeliefs}.
 * </ul>
 *
 * <p>{@link dev.abacus.optimizer.loop.state.ProgramSnapshot} is what a decision sees of it: the
 * program with its examples ({@link dev.abacus.optimizer.loop.state.ProgramDefinition}), the
 * samples that count by operator ({@link dev.abacus.optimizer.loop.state.SampledOperator}), and
 * {@link dev.abacus.optimizer.loop.state.LearnedParameters}, which {@link
 * dev.abacus.optimizer.loop.state.ParameterLearner} learns from pools of evidence ({@link
 * dev.abacus.optimizer.loop.state.EvidenceKey}); {@code UnseenObservation} applies them to samples.
 * {@link dev.abacus.optimizer.loop.state.Beliefs} are what follows for live documents.
 */
@NullMarked
package dev.abacus.optimizer.loop.state;

import org.jspecify.annotations.NullMarked;
