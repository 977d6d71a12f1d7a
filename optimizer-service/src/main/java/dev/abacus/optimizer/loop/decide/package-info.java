/**
 * Decides which samples to draw next and which plan to activate.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.decide.Decision}, {@link
 * dev.abacus.optimizer.loop.decide.DecisionMaker}, its {@link
 * dev.abacus.optimizer.loop.decide.WavePlanner} (with {@link
 * dev.abacus.optimizer.loop.decide.WaveDraw} and {@link
 * dev.abacus.optimizer.loop.decide.BatchedSamples}) and {@link
 * dev.abacus.optimizer.loop.decide.EvidencePlanner} for samples, its {@link
 * dev.abacus.optimizer.loop.decide.HeldBackRuns} for the runs of whole plans, its {@link
 * dev.abacus.optimizer.loop.decide.PlanChooser} (with {@link
 * dev.abacus.optimizer.loop.decide.PlanCandidates}) for plans, and {@link
 * dev.abacus.optimizer.loop.decide.ActivationPolicy} with {@link
 * dev.abacus.optimizer.loop.decide.PlanDescription}.
 */
@NullMarked
package dev.abacus.optimizer.loop.decide;

import org.jspecify.annotations.NullMarked;
