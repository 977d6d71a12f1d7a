package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;

/**
 * One call for each comparison of two items. Quickselect finds the items to keep, and quicksort
 * orders them (LOTUS, Patel et al. 2025).
 */
@JsonTypeName("pairwise-ranking")
public record PairwiseRanking(String model) implements Ranking {

  @Override
  public int shown() {
    return 2;
  }

  /** Twice the items, and the comparisons of a quicksort of those to keep. */
  @Override
  public int calls(int items, int kept) {
    double halvings = Math.log(kept + 1.0) / Math.log(2);
    return (int) Math.min(items * (items - 1L) / 2, 2L * items + (long) (2 * kept * halvings));
  }

  @Override
  public String id() {
    return "pairwise-ranking(" + model + ")";
  }
}
