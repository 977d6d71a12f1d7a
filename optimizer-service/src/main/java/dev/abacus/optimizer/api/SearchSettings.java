package dev.abacus.optimizer.api;

import dev.abacus.optimizer.search.cascades.InfeasiblePolicy;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.input.Keyword;

/**
 * Settings of a plan search over estimates.
 *
 * @param algorithm which partial plans the search keeps
 * @param costModel how costs of operators add up to the cost of a plan
 * @param ifInfeasible what to choose if no plan meets every bound
 */
public record SearchSettings(Algorithm algorithm, CostModel costModel, IfInfeasible ifInfeasible) {

  /** Which partial plans the search keeps. */
  public enum Algorithm {
    /** The Pareto frontier (paper, section 3.2). */
    PARETO,
    /** The best feasible one by the target (paper, section 4.4). */
    GREEDY,
    /** The best one by the target (paper, section 3.1). */
    CASCADES
  }

  /** How costs of operators add up to the cost of a plan. */
  public enum CostModel {
    /** Weighted by the share of documents that reach the operator. */
    SELECTIVITY,
    /** The plain sum, as in the paper. */
    PAPER
  }

  /** What to choose if no plan meets every bound. */
  public enum IfInfeasible implements Keyword {
    /** The best plan by the target, without the bounds. */
    BEST_TARGET,
    /** The plan with the least sum of relative violations. */
    LEAST_VIOLATION;

    @Override
    public String toString() {
      return label();
    }
  }

  /** Pareto-Cascades with selectivities. */
  public static final SearchSettings DEFAULT =
      new SearchSettings(Algorithm.PARETO, CostModel.SELECTIVITY, IfInfeasible.BEST_TARGET);

  SearchOptions options() {
    return SearchOptions.DEFAULT
        .withAlgorithm(dev.abacus.optimizer.search.cascades.Algorithm.valueOf(algorithm.name()))
        .withCostModel(dev.abacus.optimizer.search.cost.CostModel.valueOf(costModel.name()))
        .withInfeasiblePolicy(InfeasiblePolicy.valueOf(ifInfeasible.name()));
  }
}
