/**
 * Measures the best whole plans end to end on examples that the search did not use.
 *
 * <p>Reading order: {@link dev.abacus.optimizer.loop.wholeplan.ReachedOperators} (which operators
 * an example can be run through), {@link dev.abacus.optimizer.loop.wholeplan.PlanReplay} (one
 * example, one plan), {@link dev.abacus.optimizer.loop.wholeplan.PlanRace} (the promise), {@link
 * dev.abacus.optimizer.loop.wholeplan.CrossFitting} (the promise with few examples).
 */
@NullMarked
package dev.abacus.optimizer.loop.wholeplan;

import org.jspecify.annotations.NullMarked;
