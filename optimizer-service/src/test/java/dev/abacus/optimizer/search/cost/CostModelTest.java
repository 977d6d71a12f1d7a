package dev.abacus.optimizer.search.cost;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.plan.Estimate;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class CostModelTest {

  private static final List<OperatorEstimate> CHAIN =
      List.of(
          new OperatorEstimate(0.9, 0.01, 1, 0.5),
          new OperatorEstimate(0.8, 0.10, 2, 3),
          new OperatorEstimate(1.0, 0.02, 0.5, 1));

  @Test
  void costCountsTheInputsThatReachAnOperator() {
    assertThat(CostModel.SELECTIVITY.estimate(CHAIN))
        .isEqualTo(new Estimate(0.72, 0.01 + 0.05 + 0.03, 3.5));
  }

  @Test
  void thePaperTakesThePlainSum() {
    assertThat(CostModel.PAPER.estimate(CHAIN)).isEqualTo(new Estimate(0.72, 0.13, 3.5));
  }

  @Test
  void nothingIsPerfectFreeAndInstant() {
    assertThat(CostModel.SELECTIVITY.estimate(List.of())).isEqualTo(new Estimate(1, 0, 0));
  }

  @Test
  void estimatesAreRoundedToTwelveDecimalDigits() {
    SplittableRandom random = new SplittableRandom(1);
    for (int i = 0; i < 20_000; i++) {
      double any = Math.pow(10, random.nextDouble(-25, 13));
      double brief = random.nextInt(100_000) / Math.pow(10, random.nextInt(8));
      double halfway = (random.nextLong(100_000_000_000L, 1_000_000_000_000L) + 0.5) / 1e12;
      for (double value : new double[] {any, brief, Math.nextUp(brief), halfway, 0, 0.1 + 0.2}) {
        assertThat(CostModel.rounded(new MetricVector(1, value, 1)).cost())
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
}
