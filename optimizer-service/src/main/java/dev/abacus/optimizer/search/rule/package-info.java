/**
 * The rules of the search (paper, section 2.2, "creation of search space").
 *
 * <p>Read {@link dev.abacus.optimizer.search.rule.TransformationRule}, which adds other orders of
 * the same operators, and {@link dev.abacus.optimizer.search.rule.ImplementationRule}, which adds
 * physical operators. A transformation rule is a file in {@code transformation}, an implementation
 * rule a constant in {@code implementation}. The bandit samples what the implementation rules make;
 * the final search applies both kinds.
 */
@NullMarked
package dev.abacus.optimizer.search.rule;

import org.jspecify.annotations.NullMarked;
