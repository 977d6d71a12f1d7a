/**
 * Implementation rules: the techniques that implement a logical operator (paper, section 4.1).
 *
 * <p>One rule per technique, which owns its parameter grid. Read {@link
 * dev.abacus.optimizer.search.rule.implementation.MapAndFilterRules}, then {@link
 * dev.abacus.optimizer.search.rule.implementation.ImplementationRules}, the list of all rules.
 * {@code optimizer.api.SearchSpace} applies them to a program; from it the bandit samples.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.implementation;

import org.jspecify.annotations.NullMarked;
