/**
 * The paper's Algorithm 1 as an event loop, one per program, without input or output of its own.
 *
 * <p>{@link dev.abacus.optimizer.loop.LoopEvent}s go in, {@link
 * dev.abacus.optimizer.loop.LoopAction}s come out of {@link
 * dev.abacus.optimizer.loop.OptimizerLoop}, in three steps:
 *
 * <ol>
 *   <li>What is known: {@link dev.abacus.optimizer.loop.state.ProgramState} folds the events,
 *       mainly into {@link dev.abacus.optimizer.loop.state.DesiredState} (the control topic) and
 *       {@link dev.abacus.optimizer.loop.state.SampleLedger} (tasks and observations). {@link
 *       dev.abacus.optimizer.loop.state.ProgramSnapshot} is what they mean for the program as it
 *       stands.
 *   <li>What to do: {@link dev.abacus.optimizer.loop.decide.Decision} says how far the search is.
 *       Its {@link dev.abacus.optimizer.loop.decide.Strategy} is a {@link
 *       dev.abacus.optimizer.loop.decide.WavePlanner}, which decides on samples (each operator on
 *       the {@link dev.abacus.optimizer.loop.input.OperatorInputs} of those before it), and a
 *       {@link dev.abacus.optimizer.loop.decide.PlanChooser}, which decides on plans; {@link
 *       dev.abacus.optimizer.loop.wholeplan.PlanConfirmation} puts the best to the test.
 *   <li>What to tell: {@link dev.abacus.optimizer.loop.decide.ActivationPolicy} decides whether a
 *       plan takes the place of the active one, {@link dev.abacus.optimizer.loop.StatusReport}
 *       makes the {@link dev.abacus.optimizer.loop.LoopStatus} that users see.
 * </ol>
 */
@NullMarked
package dev.abacus.optimizer.loop;

import org.jspecify.annotations.NullMarked;
