package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.QualityMetric;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Live quality in the measure of the estimate. */
class QualityCountsTest {

  private static final double OF_95_PERCENT = 1.96;

  private static @Nullable QualityMetric metric(String name) {
    return name.isEmpty() ? null : QualityMetric.parse(name);
  }

  private static QualityCounts decisions(Random random, int documents) {
    QualityCounts counts = QualityCounts.none(1, "filter");
    for (int i = 0; i < documents; i++) {
      boolean keep = random.nextDouble() < 0.1;
      boolean right = random.nextDouble() < (keep ? 0.7 : 0.95);
      counts = counts.withDecision(keep == right, right ? 1 : 0);
    }
    return counts;
  }

  /** A filter with recall 0.7 and specificity 0.95 on documents of which 10 % are to be kept. */
  @ParameterizedTest
  @ValueSource(strings = {"", "f1", "precision", "recall", "accuracy"})
  void theIntervalOfADecisionsMetricHoldsItsTrueValue(String name) {
    double truth = new MatchCounts(0.07, 0.045, 0.03, 0.855).filterScore(metric(name));
    Random random = new Random(5);
    int covered = 0;
    for (int run = 0; run < 1000; run++) {
      Range live = decisions(random, 200).measured(metric(name), OF_95_PERCENT);
      boolean holds =
          Objects.requireNonNull(live.low()) <= truth
              && truth <= Objects.requireNonNull(live.high());
      covered += holds ? 1 : 0;
    }

    assertThat(covered).isBetween(920, 995);
    assertThat(decisions(random, 100_000).measured(metric(name), OF_95_PERCENT).mean())
        .isCloseTo(truth, within(0.02));
  }

  @Test
  void withoutADocumentToKeepItsHalfOfTheScoreIsUnknown() {
    Range live = QualityCounts.none(1, "f").withDecision(false, 1).measured(null, OF_95_PERCENT);

    assertThat(Objects.requireNonNull(live.low())).isLessThan(0.4);
    assertThat(live.high()).isEqualTo(1);
  }

  @Test
  void anOperatorThatIsNoFilterHasTheMeanScore() {
    QualityCounts counts = QualityCounts.none(1, "map").with(0.5).with(0.7);

    assertThat(counts.measured(null, OF_95_PERCENT).mean()).isCloseTo(0.6, within(1e-9));
    assertThat(counts.minus(QualityCounts.none(1, "map").with(0.5)).judged()).isEqualTo(1);
  }

  /** The judge has no answer to every fifth output, and those are all wrong. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void theIntervalHoldsWhateverTheMissingScoresAre(boolean filter) {
    QualityCounts counts = QualityCounts.none(1, "o");
    for (int i = 0; i < 2_000; i++) {
      if (i % 5 == 0) {
        counts = counts.withMissing();
      } else {
        counts = filter ? counts.withDecision(i % 2 == 0, 1) : counts.with(1);
      }
    }
    QualityCounts again = counts.plus(counts).minus(counts);

    Range live = again.measured(null, OF_95_PERCENT);
    assertThat(again.missing()).isEqualTo(400);
    assertThat(Objects.requireNonNull(live.low())).isLessThanOrEqualTo(0.8);
    assertThat(live.high()).isEqualTo(1);
  }

  @Test
  void aFailureScoresZero() {
    QualityCounts map = QualityCounts.none(1, "map").with(1).withFailure();
    assertThat(map.measured(null, OF_95_PERCENT).mean()).isEqualTo(0.5);

    QualityCounts filter =
        QualityCounts.none(1, "f").withDecision(true, 1).withDecision(false, 1).withFailure();
    QualityCounts twice = filter.plus(QualityCounts.none(1, "f").withFailure());
    assertThat(filter.measured(null, OF_95_PERCENT).mean()).isCloseTo(2.0 / 3, within(1e-9));
    assertThat(twice.measured(null, OF_95_PERCENT).mean()).isEqualTo(0.5);
    assertThat(twice.minus(filter).failures()).isEqualTo(1);
    assertThat(Objects.requireNonNull(twice.measured(null, OF_95_PERCENT).high())).isLessThan(1);
  }

  @Test
  void countersOfAnOlderWorkerAreRead() throws Exception {
    String older =
        "{\"epoch\":1,\"operator\":\"f\",\"judged\":2,\"quality\":1.5,\"qualitySquares\":1}";

    QualityCounts counts =
        Json.read(older.getBytes(StandardCharsets.UTF_8), QualityCounts.class)
            .plus(QualityCounts.none(1, "f").withDecision(true, 1));

    assertThat(counts.judged()).isEqualTo(3);
    assertThat(counts.decisions()).isEqualTo(new MatchCounts(1, 0, 0, 0));
  }
}
