/**
 * The state of the loop for one program: what the control topic, samples and observations say.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.state.LoopEvent} is what {@link
 * dev.abacus.optimizer.loop.state.ProgramState} folds: control records into {@link
 * dev.abacus.optimizer.loop.state.DesiredState}, sample tasks and observations into {@link
 * dev.abacus.optimizer.loop.state.SampleLedger}. {@link
 * dev.abacus.optimizer.loop.state.ProgramSnapshot} is a snapshot of the samples that count for the
 * current program, by {@link dev.abacus.optimizer.loop.state.SampledOperator}.
 */
@NullMarked
package dev.abacus.optimizer.loop.state;

import org.jspecify.annotations.NullMarked;
