/**
 * Other orders of the same operators.
 *
 * <p>Each rule exchanges two neighbours: read {@link
 * dev.abacus.optimizer.search.rule.transformation.NeighbourExchange} for how, {@link
 * dev.abacus.optimizer.search.rule.transformation.Legality} for when, and then any rule. Together
 * they reach every order that keeps dependent operators in the order written: {@link
 * dev.abacus.optimizer.search.rule.transformation.TransformationRules} lists them.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.transformation;

import org.jspecify.annotations.NullMarked;
