/**
 * What operators and plans are expected to do (paper, section 2.3). Read {@link
 * dev.abacus.optimizer.cost.OperatorEstimate}, {@link dev.abacus.optimizer.cost.Estimates}, {@link
 * dev.abacus.optimizer.cost.CostModel} for how plans follow from operators, and then {@link
 * dev.abacus.optimizer.cost.Statistics} for how estimates follow from observations.
 */
@NullMarked
package dev.abacus.optimizer.cost;

import org.jspecify.annotations.NullMarked;
