package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import java.util.List;
import org.junit.jupiter.api.Test;

class ConfidenceMarginTest {

  private static final Objective BOUNDED =
      ObjectiveParser.parse("maximize quality subject to cost <= 1");

  private record Plan(double quality, double cost, double deviation) {
    Estimate estimate() {
      return new Estimate(quality, cost, 1);
    }

    List<Belief> beliefs() {
      return List.of(new Belief(new OperatorEstimate(quality, cost, 1, 1), 1, 0, deviation, 0));
    }
  }

  private static Plan choose(double deviations, Objective objective, Plan... frontier) {
    return new ConfidenceMargin(deviations)
        .choose(frontier[0], List.of(frontier), objective, Plan::estimate, Plan::beliefs);
  }

  private final Plan edge = new Plan(0.9, 0.99, 0.2);
  private final Plan safe = new Plan(0.8, 0.7, 0.2);

  @Test
  void keepsAwayFromABoundByAsMuchAsTheEstimateMayBeOff() {
    assertThat(choose(1, BOUNDED, edge, safe)).isEqualTo(safe);
    assertThat(choose(0, BOUNDED, edge, safe)).isEqualTo(edge);
    assertThat(choose(1, BOUNDED, new Plan(0.9, 0.99, 0.001), safe).cost()).isEqualTo(0.99);
  }

  @Test
  void withoutBoundsOrWithoutASaferPlanTheChoiceStays() {
    assertThat(choose(1, Objective.MAXIMIZE_QUALITY, edge, safe)).isEqualTo(edge);
    assertThat(choose(1, BOUNDED, edge)).isEqualTo(edge);
  }
}
