/**
 * Implementation rules: the techniques that implement a logical operator (paper, section 4.1).
 *
 * <p>One rule per technique, which owns its parameter grid. Read {@link
 * dev.abacus.optimizer.search.rule.implementation.MapAndFilterRules}, then {@link
 * dev.abacus.optimizer.search.rule.implementation.ImplementationRules}, the list of all rules, and
 * {@link dev.abacus.optimizer.search.rule.implementation.SearchSpace}, which applies them to a
 * program and from which the bandit samples.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.implementation;

import org.jspecify.annotations.NullMarked;
