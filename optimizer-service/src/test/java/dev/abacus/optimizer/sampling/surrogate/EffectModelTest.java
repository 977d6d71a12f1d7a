package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.RandomEffect;
import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.schemas.plan.ModelSelection;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class EffectModelTest {

  private static final int OWN_CALL = -1;
  private static final int SHARED_CALL = 0;

  /** Three models on four examples; the last three scores are of one call. */
  private final EffectModel model =
      new EffectModel(
          FeatureSpace.of(
              IntStream.range(0, 3).mapToObj(i -> Arm.of(new ModelSelection("m" + i))).toList()),
          new Measurements(
                  List.of(
                      value(0, 0, OWN_CALL, false, 0.9, 0.7),
                      value(0, 1, OWN_CALL, false, 0.3, 0.7),
                      value(1, 0, OWN_CALL, false, 0.8, 1),
                      value(1, 1, OWN_CALL, true, 0.4, 1),
                      value(1, 2, OWN_CALL, true, 0.6, 1),
                      value(2, 1, SHARED_CALL, false, 0.5, 1),
                      value(2, 2, SHARED_CALL, false, 0.5, 1),
                      value(2, 3, SHARED_CALL, false, 0.7, 1)))
              .byCall(),
          new MeanFunction(0.6, 0.1, new double[] {1, 0, -1}, new double[0]),
          VariancePrior.of(0.02, 0.05, 0.02, 0.02, 0.05, 0.7));

  private static Measurements.Value value(
      int arm, int example, int call, boolean judged, double value, double rest) {
    return new Measurements.Value(arm, List.of(example), call, judged, value, rest);
  }

  private Loadings error(int arm) {
    return model.error(arm, "extract", List.of("a", "b", "c", "d"), 0.5);
  }

  @Test
  void theLoadingsOfTheErrorsHaveThePosteriorCovariance() {
    for (int a = 0; a < 3; a++) {
      for (int b = 0; b < 3; b++) {
        assertThat(error(a).covariance(error(b)))
            .isCloseTo(model.covariance(a, model.whitened(a), b, model.whitened(b)), within(1e-9));
      }
    }
  }

  @Test
  void anExampleThatBothWereMeasuredOnMovesBothEstimates() {
    RandomEffect shared = new RandomEffect(Kind.EXAMPLE, RandomEffect.ALL, "a");
    RandomEffect last = new RandomEffect(Kind.EXAMPLE, RandomEffect.ALL, "d");

    // An easy example makes the mean too high, so the error, truth minus mean, is negative.
    assertThat(error(0).of(shared)).isNegative();
    assertThat(error(1).of(shared)).isNegative();
    assertThat(Math.abs(error(0).of(last))).isLessThan(Math.abs(error(2).of(last)));
  }

  @Test
  void whatTwoPlansShareCancelsInTheirDifference() {
    Loadings both = error(2);

    assertThat(error(0).plus(both).minus(error(1).plus(both)).deviation())
        .isCloseTo(error(0).minus(error(1)).deviation(), within(1e-9));
    assertThat(error(0).minus(error(1)).variance())
        .isCloseTo(
            error(0).variance() + error(1).variance() - 2 * error(0).covariance(error(1)),
            within(1e-9));
    assertThat(both.minus(both).deviation()).isZero();
  }
}
