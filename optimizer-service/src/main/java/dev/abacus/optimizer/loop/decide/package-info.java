/**
 * Decides which samples to draw next and which plan to activate.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.decide.Decision} is the state of the search;
 * its {@link dev.abacus.optimizer.loop.decide.WavePlanner} chooses samples, its {@link
 * dev.abacus.optimizer.loop.decide.PlanChooser} chooses the plan. {@link
 * dev.abacus.optimizer.loop.decide.ActivationPolicy} decides whether the plan replaces the active
 * one.
 */
@NullMarked
package dev.abacus.optimizer.loop.decide;

import org.jspecify.annotations.NullMarked;
