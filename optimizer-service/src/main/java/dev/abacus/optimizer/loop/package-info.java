/**
 * The paper's Algorithm 1 as an event loop, one per program, without input or output of its own.
 *
 * <p>{@link dev.abacus.optimizer.loop.LoopEvent}s go in, {@link
 * dev.abacus.optimizer.loop.LoopAction}s come out of {@link
 * dev.abacus.optimizer.loop.OptimizerLoop}. Its state is a fold over the events, in two halves:
 * {@link dev.abacus.optimizer.loop.DesiredState} (the control topic) and {@link
 * dev.abacus.optimizer.loop.SampleLedger} (tasks and observations). {@link
 * dev.abacus.optimizer.loop.ProgramView} is what the two mean for the program as it stands; {@link
 * dev.abacus.optimizer.loop.WavePlanner} decides on samples from it, {@link
 * dev.abacus.optimizer.loop.PlanChooser} on plans, {@link dev.abacus.optimizer.loop.LoopStatus}
 * tells users.
 */
@NullMarked
package dev.abacus.optimizer.loop;

import org.jspecify.annotations.NullMarked;
