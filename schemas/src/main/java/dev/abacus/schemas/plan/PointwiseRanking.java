package dev.abacus.schemas.plan;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;

/** One call for each item, which grades it; the grades order the items. */
@JsonTypeName("pointwise-ranking")
public record PointwiseRanking(String model) implements Ranking {

  @Override
  public int shown() {
    return 1;
  }

  @Override
  public int calls(int items, int kept) {
    return items;
  }

  @Override
  public String id() {
    return "pointwise-ranking(" + model + ")";
  }
}
