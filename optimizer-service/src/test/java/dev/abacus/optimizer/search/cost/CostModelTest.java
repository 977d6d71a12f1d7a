package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.abacus.optimizer.search.pareto.Dominance;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.plan.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class CostModelTest {

  private static final List<OperatorEstimate> CHAIN =
      List.of(
          new OperatorEstimate(0.9, 0.01, 1, 0.5),
          new OperatorEstimate(0.8, 0.10, 2, 3),
          new OperatorEstimate(1.0, 0.02, 0.5, 1));

  /** The estimate of a chain, as the search adds it up. */
  private static Estimate estimate(CostModel model, List<OperatorEstimate> steps) {
    OperatorEstimate chain = OperatorEstimate.RELATIONAL;
    for (OperatorEstimate step : steps) {
      chain = CostModel.after(chain, model.perInput(step));
    }
    return CostModel.rounded(chain);
  }

  @Test
  void costCountsTheInputsThatReachAnOperator() {
    assertThat(estimate(CostModel.SELECTIVITY, CHAIN))
        .isEqualTo(new Estimate(0.72, 0.01 + 0.05 + 0.03, 3.5));
  }

  @Test
  void thePaperTakesThePlainSum() {
    assertThat(estimate(CostModel.PAPER, CHAIN)).isEqualTo(new Estimate(0.72, 0.13, 3.5));
  }

  @Test
  void nothingIsPerfectFreeAndInstant() {
    assertThat(estimate(CostModel.SELECTIVITY, List.of())).isEqualTo(new Estimate(1, 0, 0));
  }

  @Test
  void estimatesAreRoundedToTwelveDecimalDigits() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      double any = Math.pow(10, random.nextDouble(-25, 13));
      double brief = random.nextInt(100_000) / Math.pow(10, random.nextInt(8));
      double halfway = (random.nextLong(100_000_000_000L, 1_000_000_000_000L) + 0.5) / 1e12;
      for (double value : new double[] {any, brief, Math.nextUp(brief), halfway, 0, 0.1 + 0.2}) {
        assertThat(CostModel.rounded(new OperatorEstimate(1, value, 1, 1)).cost())
            .isEqualTo(new BigDecimal(value).round(new MathContext(12)).doubleValue());
      }
    }
  }

  @Test
  void operatorEstimatesAreChecked() {
    for (double wrong : new double[] {Double.NaN, -0.1, Double.POSITIVE_INFINITY}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OperatorEstimate(wrong, 0, 0, 1))
          .withMessageContaining("quality");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OperatorEstimate(1, wrong, 0, 1))
          .withMessageContaining("cost");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OperatorEstimate(1, 0, wrong, 1))
          .withMessageContaining("latency");
      assertThatIllegalArgumentException()
          .isThrownBy(() -> new OperatorEstimate(1, 0, 0, wrong))
          .withMessageContaining("selectivity");
    }
    assertThatIllegalArgumentException().isThrownBy(() -> new OperatorEstimate(1.1, 0, 0, 1));
  }

  @Test
  void randomChainsEqualTheFormulaOfThePaperWithSelectivities() {
    RandomGenerator random = new SplittableRandom(29);
    for (int i = 0; i < 2000; i++) {
      List<OperatorEstimate> steps = new ArrayList<>();
      for (int n = random.nextInt(7); n >= 0; n--) {
        steps.add(
            new OperatorEstimate(
                random.nextDouble(),
                random.nextDouble(10),
                random.nextDouble(60),
                random.nextDouble(2)));
      }
      for (CostModel model : CostModel.values()) {
        double quality = 1;
        double cost = 0;
        double latency = 0;
        for (int step = 0; step < steps.size(); step++) {
          double reaching = 1;
          for (OperatorEstimate before : steps.subList(0, step)) {
            reaching *= model == CostModel.SELECTIVITY ? before.selectivity() : 1;
          }
          quality *= steps.get(step).quality();
          cost += reaching * steps.get(step).cost();
          latency += steps.get(step).latency();
        }
        Estimate estimate = estimate(model, steps);
        assertThat(estimate.quality()).isCloseTo(quality, withinPercentage(1e-9));
        assertThat(estimate.cost()).isCloseTo(cost, withinPercentage(1e-9));
        assertThat(estimate.latency()).isCloseTo(latency, withinPercentage(1e-9));
      }
    }
  }

  @Test
  void aWorseChainIsNeverBetterWithOneMoreOperator() {
    RandomGenerator random = new SplittableRandom(31);
    for (int i = 0; i < 2000; i++) {
      OperatorEstimate good =
          new OperatorEstimate(
              random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble());
      OperatorEstimate bad =
          new OperatorEstimate(
              good.quality() * random.nextDouble(),
              good.cost() + random.nextDouble(),
              good.latency() + random.nextDouble(),
              good.selectivity() + random.nextDouble());
      OperatorEstimate operator =
          new OperatorEstimate(
              random.nextDouble(), random.nextDouble(), random.nextDouble(), random.nextDouble(2));
      Dominance all = new Dominance(EnumSet.allOf(Metric.class));
      assertThat(all.covers(CostModel.after(good, operator), CostModel.after(bad, operator)))
          .isTrue();
      assertThat(all.covers(CostModel.beside(good, operator), CostModel.beside(bad, operator)))
          .isTrue();
    }
  }
}
