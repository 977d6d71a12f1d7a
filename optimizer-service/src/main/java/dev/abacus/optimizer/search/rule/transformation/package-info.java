/**
 * Transformation rules: other orders of the same operators (paper, section 2.2).
 *
 * <p>Read {@link dev.abacus.optimizer.search.rule.transformation.ExchangeIndependentOperators}
 * first, then {@link dev.abacus.optimizer.search.rule.transformation.ExchangeProjection} and {@link
 * dev.abacus.optimizer.search.rule.transformation.TransformationRules}, the list of all rules. What
 * the rules need to know of an operator stands in {@link
 * dev.abacus.schemas.program.LogicalOperator}: {@code reads}, {@code writtenFields} and {@code
 * isPerDocument}. A new kind of operator declares these and needs no rule.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.transformation;

import org.jspecify.annotations.NullMarked;
