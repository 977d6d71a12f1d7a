package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostUncertaintyTest {

  private static final Belief FILTER =
      new Belief(new OperatorEstimate(1, 0.01, 1, 0.25), 4, 0, 0.1, 0, 0.15);
  private static final Belief MAP =
      new Belief(new OperatorEstimate(1, 0.20, 1, 1), 4, 0, 0.05, 0, 0);

  @Test
  void theDeviationOfThePlanIsThatOfPlansDrawnFromTheBeliefs() {
    List<Belief> plan = List.of(FILTER, MAP, FILTER, MAP);
    Random random = new Random(3);
    int draws = 200_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; i++) {
      double cost = 0;
      double reaching = 1;
      for (Belief step : plan) {
        cost += reaching * step.mean().cost() * (1 + step.costDeviation() * random.nextGaussian());
        reaching *= step.mean().selectivity() + step.selectivityDeviation() * random.nextGaussian();
      }
      sum += cost;
      squares += cost * cost;
    }
    double drawn = Math.sqrt(squares / draws - sum / draws * (sum / draws));

    assertThat(CostUncertainty.deviation(plan, Belief::costDeviation))
        .isCloseTo(drawn, within(0.1 * drawn));
  }

  @Test
  void aFilterThatDroppedEveryExampleMayStillPassDocuments() {
    Belief none = new Belief(new OperatorEstimate(1, 0.01, 1, 0), 4, 0, 0, 0, 0.1);

    assertThat(CostUncertainty.deviation(List.of(none, MAP), Belief::costDeviation))
        .isCloseTo(0.1 * 0.20, within(1e-12));
  }
}
