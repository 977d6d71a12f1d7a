/**
 * Keeps running programs within the limits of their users without a new search, by moves along the
 * frontier that the active plan was chosen from.
 *
 * <p>Read {@link dev.abacus.optimizer.governor.Governor} first: status reports and time go in,
 * control records come out. It asks five guards: {@code SpendGuard} (spending cap of a window),
 * {@code LagGuard} (backlog), {@code OutageGuard} (failing models), {@code DriftGuard} (live
 * documents differ from estimates, by {@link dev.abacus.optimizer.sequential.ChangeDetector}) and
 * {@code CanaryGuard} (first documents of a new plan). {@code PlanConstraints} selects the plan
 * that meets all their limits. {@code FleetCounters} sums the counters of all instances, {@link
 * dev.abacus.optimizer.governor.Elapsed} tells when a pause is over. Pure: the state is a fold, and
 * {@link dev.abacus.optimizer.governor.GovernorState} carries it over restarts.
 */
@NullMarked
package dev.abacus.optimizer.governor;

import org.jspecify.annotations.NullMarked;
