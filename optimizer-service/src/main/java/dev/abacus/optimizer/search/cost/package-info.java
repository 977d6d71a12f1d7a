/**
 * What operators and plans are expected to do (paper, section 2.3). Read {@link
 * dev.abacus.optimizer.search.cost.OperatorEstimate}, {@link
 * dev.abacus.optimizer.search.cost.Estimates}, {@link dev.abacus.optimizer.search.cost.CostModel}
 * for how plans follow from operators, and then {@link dev.abacus.optimizer.search.cost.Statistics}
 * for how estimates follow from observations.
 */
@NullMarked
package dev.abacus.optimizer.search.cost;

import org.jspecify.annotations.NullMarked;
