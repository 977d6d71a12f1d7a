/**
 * Other orders of the same operators, and other operators in their place.
 *
 * <p>Rules of the first kind let two neighbours change places: read {@link
 * dev.abacus.optimizer.search.rule.transformation.NeighbourExchange} for how, {@link
 * dev.abacus.optimizer.search.rule.transformation.Legality} for when, and then any rule. Together
 * they reach every order that keeps dependent operators in the order written: {@link
 * dev.abacus.optimizer.search.rule.transformation.TransformationRules} lists them.
 *
 * <p>Rules of the second kind take a filter apart or make one operator of two; {@link
 * dev.abacus.optimizer.search.rule.transformation.Rewrites} lists them, and makes the programs that
 * follow, each of which is searched.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.transformation;

import org.jspecify.annotations.NullMarked;
