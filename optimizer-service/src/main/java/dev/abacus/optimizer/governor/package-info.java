/**
 * Keeps running programs within what their users asked for, without a new search: walks the
 * frontier that the active plan was chosen from.
 *
 * <p>Read {@link dev.abacus.optimizer.governor.Governor}: status reports and time go in, control
 * records come out. It asks five guards, one per cause: {@code SpendGuard} (the cap of a window),
 * {@code LagGuard} (documents that wait), {@code OutageGuard} (models whose calls fail), {@code
 * DriftGuard} (documents that cost or take other than estimated) and {@code CanaryGuard} (a new
 * plan's first documents). {@code Alternatives} finds the plan that suits them all. Pure: the state
 * is a fold, which a {@link dev.abacus.optimizer.governor.GovernorState} carries over restarts.
 */
@NullMarked
package dev.abacus.optimizer.governor;

import org.jspecify.annotations.NullMarked;
