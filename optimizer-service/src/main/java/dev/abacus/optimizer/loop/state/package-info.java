/**
 * The state of the loop for one program: what the control topic, samples and observations say.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.state.DesiredState} folds the control topic,
 * {@link dev.abacus.optimizer.loop.state.SampleLedger} folds sample tasks and observations, {@link
 * dev.abacus.optimizer.loop.state.ProgramState} holds both. {@link
 * dev.abacus.optimizer.loop.state.ProgramSnapshot} is a snapshot of the samples that count for the
 * current program.
 */
@NullMarked
package dev.abacus.optimizer.loop.state;

import org.jspecify.annotations.NullMarked;
