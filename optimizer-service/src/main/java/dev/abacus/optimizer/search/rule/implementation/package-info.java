/**
 * Ways to carry out operators (paper, section 4.1). One rule per kind of operator and technique;
 * read {@link dev.abacus.optimizer.search.rule.implementation.ImplementMapWithModelSelection} and
 * {@link dev.abacus.optimizer.search.rule.implementation.ImplementMapWithReducedContext} first,
 * then {@link dev.abacus.optimizer.search.rule.implementation.SearchSpace}, which is what the
 * bandit draws from.
 */
@NullMarked
package dev.abacus.optimizer.search.rule.implementation;

import org.jspecify.annotations.NullMarked;
