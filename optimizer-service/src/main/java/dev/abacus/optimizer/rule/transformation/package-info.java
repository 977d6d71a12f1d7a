/**
 * Other orders of the same operators. All rules so far let two neighbours change places: read
 * {@link dev.abacus.optimizer.rule.transformation.NeighbourExchange} for how, {@link
 * dev.abacus.optimizer.rule.transformation.Legality} for when, and then any rule. Together they
 * reach every order that keeps dependent operators in the order written: {@link
 * dev.abacus.optimizer.rule.transformation.TransformationRules} lists them.
 */
@NullMarked
package dev.abacus.optimizer.rule.transformation;

import org.jspecify.annotations.NullMarked;
