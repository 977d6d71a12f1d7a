/**
 * The paper's Algorithm 1 as an event loop for one program, without input and output.
 *
 * <p>{@link dev.abacus.optimizer.loop.OptimizerLoop} takes {@link
 * dev.abacus.optimizer.loop.event.LoopEvent}s and returns those that it causes, in three steps:
 *
 * <ol>
 *   <li>Fold the events ({@code loop.event}): package {@code loop.state}. {@code ProgramState}
 *       holds the control topic ({@code DesiredState}) and the samples ({@code SampleLedger});
 *       {@code ProgramSnapshot} holds the samples that count for the current program.
 *   <li>Decide: package {@code loop.decide}. {@code DecisionMaker} lets {@code WavePlanner} choose
 *       samples on the inputs of {@code loop.input}, with what {@code loop.prompt} shows, as far as
 *       {@code loop.budget} pays for them, lets {@code PlanChooser} choose the plan, and confirms
 *       the best plans end to end ({@code loop.wholeplan}). {@code ActivationPolicy} decides
 *       whether the plan replaces the active one.
 *   <li>Report: {@link dev.abacus.optimizer.loop.LoopStatus} for users, {@link
 *       dev.abacus.optimizer.loop.ProgramDeployment} for the governor.
 * </ol>
 */
@NullMarked
package dev.abacus.optimizer.loop;

import org.jspecify.annotations.NullMarked;
