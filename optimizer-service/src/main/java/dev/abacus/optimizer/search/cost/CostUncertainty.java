package dev.abacus.optimizer.search.cost;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The uncertainty of the cost of a plan. The cost of each operator weighs by the documents that
 * reach it, and an error of a selectivity changes the cost of all operators behind it.
 */
public final class CostUncertainty {

  private CostUncertainty() {}

  /**
   * The standard deviation of the cost of a plan in USD per source document. Errors are
   * independent, so their effects add up in squares (first order; for selectivities by a finite
   * difference of one standard deviation).
   *
   * @param steps beliefs of the implementations in execution order
   * @param costDeviation standard deviation of the logarithm of the cost of a step
   */
  public static double deviation(Collection<Belief> steps, ToDoubleFunction<Belief> costDeviation) {
    List<Belief> chain = new ArrayList<>(steps);
    double variance = 0;
    double reaching = 1;
    for (int i = 0; i < chain.size(); i++) {
      Belief step = chain.get(i);
      double own = reaching * step.mean().cost() * costDeviation.applyAsDouble(step);
      double behind = reaching * step.selectivityDeviation() * costOf(chain, i + 1);
      variance += own * own + behind * behind;
      reaching *= step.mean().selectivity();
    }
    return Math.sqrt(variance);
  }

  /** The cost of the steps from an index on per document that reaches the first of them. */
  private static double costOf(List<Belief> chain, int from) {
    double cost = 0;
    double reaching = 1;
    for (Belief step : chain.subList(from, chain.size())) {
      cost += reaching * step.mean().cost();
      reaching *= step.mean().selectivity();
    }
    return cost;
  }
}
