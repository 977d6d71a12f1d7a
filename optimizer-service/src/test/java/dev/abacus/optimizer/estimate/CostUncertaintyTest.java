package dev.abacus.optimizer.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CostUncertaintyTest {

  private static final Loadings NONE = Loadings.NONE;

  private static Belief filter(double selectivity) {
    return new Belief(
        new OperatorEstimate(1, 0.01, 1, selectivity),
        4,
        NONE,
        Loadings.own(0.1),
        NONE,
        Loadings.own(0.15));
  }

  private static Belief map() {
    return new Belief(new OperatorEstimate(1, 0.20, 1, 1), 4, NONE, Loadings.own(0.05), NONE, NONE);
  }

  @Test
  void theDeviationOfThePlanIsThatOfPlansDrawnFromTheBeliefs() {
    List<Belief> plan = List.of(filter(0.25), map(), filter(0.25), map());
    Random random = new Random(3);
    int draws = 200_000;
    double sum = 0;
    double squares = 0;
    for (int i = 0; i < draws; i++) {
      double cost = 0;
      double reaching = 1;
      for (Belief step : plan) {
        double error = step.cost().deviation() * random.nextGaussian();
        cost += reaching * step.mean().cost() * (1 + error);
        reaching *= step.mean().selectivity() + step.outputs().deviation() * random.nextGaussian();
      }
      sum += cost;
      squares += cost * cost;
    }
    double drawn = Math.sqrt(squares / draws - sum / draws * (sum / draws));

    assertThat(CostUncertainty.error(plan).deviation()).isCloseTo(drawn, within(0.1 * drawn));
  }

  @Test
  void aFilterThatDroppedEveryExampleMayStillPassDocuments() {
    Belief none =
        new Belief(new OperatorEstimate(1, 0, 1, 0), 4, NONE, NONE, NONE, Loadings.own(0.1));

    assertThat(CostUncertainty.error(List.of(none, map())).deviation())
        .isCloseTo(0.1 * 0.20, within(1e-12));
  }

  @Test
  void errorsOfOneCauseAddUpOverTheOperatorsOfAPlan() {
    Loadings size = Loadings.of(new RandomEffect(RandomEffect.Kind.SIZE, "documents", ""), 0.1);
    Belief step = new Belief(new OperatorEstimate(1, 0.01, 1, 1), 4, NONE, size, NONE, NONE);
    Belief other = new Belief(new OperatorEstimate(1, 0.01, 1, 1), 9, NONE, size, NONE, NONE);

    // Documents that are 10 % longer make both steps 10 % dearer, not the plan 7 %.
    assertThat(CostUncertainty.error(List.of(step, other)).deviation())
        .isCloseTo(0.1 * 0.02, within(1e-12));
    assertThat(step.cost().minus(other.cost()).deviation()).isZero();
  }
}
