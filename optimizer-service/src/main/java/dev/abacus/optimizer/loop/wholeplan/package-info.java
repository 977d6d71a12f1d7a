/**
 * Measures whole plans end to end: how far they differ from the product of their operators, where
 * operators depend on each other, and what the best of them do on examples that the search did not
 * use.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.wholeplan.OperatorDependence} (when it
 * applies), {@link dev.abacus.optimizer.loop.wholeplan.PlanReplay} (one example, one plan), {@link
 * dev.abacus.optimizer.loop.wholeplan.PlanConfirmation} (dependence), {@link
 * dev.abacus.optimizer.loop.wholeplan.PlanRace} (the promise), {@link
 * dev.abacus.optimizer.loop.wholeplan.CrossFitting} (the promise with few examples).
 */
@NullMarked
package dev.abacus.optimizer.loop.wholeplan;

import org.jspecify.annotations.NullMarked;
