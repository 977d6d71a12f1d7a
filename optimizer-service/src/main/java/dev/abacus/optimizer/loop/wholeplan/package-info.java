/**
 * Measures the best plans of the frontier end to end, where operators may depend on each other.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.wholeplan.OperatorDependence} (when it
 * applies), {@link dev.abacus.optimizer.loop.wholeplan.PlanReplay} (one example, one plan), {@link
 * dev.abacus.optimizer.loop.wholeplan.PlanConfirmation}.
 */
@NullMarked
package dev.abacus.optimizer.loop.wholeplan;

import org.jspecify.annotations.NullMarked;
