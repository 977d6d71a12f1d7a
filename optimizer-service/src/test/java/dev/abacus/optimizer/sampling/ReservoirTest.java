package dev.abacus.optimizer.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ReservoirTest {

  private static final Objective BOTH =
      ObjectiveParser.parse("maximize quality subject to cost <= 1");

  private final List<Arm> arms =
      Stream.of("good", "cheap", "worse", "worst", "unknown").map(Arm::named).toList();
  private final Priors priors =
      new Priors(
          Map.of(
              "classify",
              Map.of(
                  "good", new OperatorEstimate(0.9, 1, 1, 1),
                  "cheap", new OperatorEstimate(0.5, 0.1, 1, 1),
                  "worse", new OperatorEstimate(0.5, 0.2, 1, 1),
                  "worst", new OperatorEstimate(0.1, 0.9, 1, 1))));

  @Test
  void withPriorsThoseNearTheirParetoFrontComeFirstTiesByTheTarget() {
    assertThat(Reservoir.believing(priors, 1).order(BOTH, "classify", arms))
        .extracting(Arm::id)
        .containsExactly("good", "cheap", "worse", "worst", "unknown");
  }

  @Test
  void theObjectiveSaysWhatTheFrontIs() {
    assertThat(
            Reservoir.believing(priors, 1)
                .order(ObjectiveParser.parse("minimize cost"), "classify", arms))
        .extracting(Arm::id)
        .startsWith("cheap", "worse", "worst", "good");
  }

  @Test
  void anOperatorWithoutPriorsIsOrderedAtRandom() {
    assertThat(Reservoir.believing(priors, 1).order(BOTH, "other", arms))
        .isEqualTo(Reservoir.seeded(1).order(BOTH, "other", arms));
  }
}
