package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.DocumentSizes;
import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.estimate.JudgedOutputs;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.optimizer.estimate.OperatorEvidence;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The interval of an implementation against the truth: 40 labels, and the judge's scores of 100 of
 * 5,000 live outputs. The judge has a bias of 0.1.
 */
class JudgedLiveOutputsTest {

  private static final int LABELS = 40;
  private static final int LIVE = 100;
  private static final int SEEDS = 400;
  private static final double TRUTH = 0.7;
  private static final double BIAS = 0.1;
  private static final PhysicalOperator MODEL = new ModelSelection("m");
  private static final LogicalOperator MAP =
      Given.program(Given.map("classify", "a")).operators().getFirst();

  /** Scores with the judge's; both in [0, 1]. */
  @FunctionalInterface
  private interface World {
    double[] next(Random random);
  }

  /** Graded scores of which the judge's explain a part of the variance. */
  private static World graded(double explained) {
    return random -> {
      double score = random.nextGaussian();
      double judged =
          Math.sqrt(explained) * score + Math.sqrt(1 - explained) * random.nextGaussian();
      return new double[] {
        Math.clamp(TRUTH + 0.1 * score, 0, 1), Math.clamp(TRUTH - BIAS + 0.1 * judged, 0, 1)
      };
    };
  }

  /** Right or wrong answers, of which the judge tells as many right from wrong. */
  private static World rightOrWrong(double explained) {
    return random -> {
      double right = random.nextDouble() < TRUTH ? 1 : 0;
      boolean knows = random.nextDouble() < Math.sqrt(explained);
      return new double[] {right, knows ? right : random.nextDouble() < TRUTH ? 1 : 0};
    };
  }

  /** Share of intervals that contain the truth, and mean width ÷ mean width without the judge. */
  private record Measured(double coverage, double width) {}

  private static Measured measure(World world, int missing) {
    int covered = 0;
    double width = 0;
    double before = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      List<Evidence> labelled = new ArrayList<>();
      Map<String, Double> judged = new HashMap<>();
      for (int i = 0; i < LABELS; i++) {
        double[] scores = world.next(random);
        labelled.add(evidence("e" + i, scores[0]));
        judged.put("e" + i, scores[1]);
      }
      QualityCounts live = QualityCounts.none(1, MAP.id());
      for (int i = 0; i < LIVE; i++) {
        double score = world.next(random)[1];
        // Those that are missing are the worst.
        live = i < missing ? live.withMissing() : live.with(score);
      }
      Range with = quality(labelled, Map.of(MODEL.id(), new JudgedOutputs(judged, live)));
      Range without = quality(labelled, Map.of());
      covered += low(with) <= TRUTH && TRUTH <= high(with) ? 1 : 0;
      width += high(with) - low(with);
      before += high(without) - low(without);
    }
    return new Measured((double) covered / SEEDS, width / before);
  }

  private static double low(Range range) {
    return Objects.requireNonNull(range.low());
  }

  private static double high(Range range) {
    return Objects.requireNonNull(range.high());
  }

  private static Evidence evidence(String example, double score) {
    return new Evidence(
        MODEL,
        Observation.builder("t-" + example, "p", MAP.id(), MODEL.id(), example)
            .outcome(Outcome.KEPT)
            .outputs(List.of(Document.empty()))
            .quality(score)
            .scoredBy(ScoredBy.LABEL)
            .cost(0.001)
            .latency(1)
            .build(),
        null,
        1,
        false,
        null);
  }

  private static Range quality(List<Evidence> evidence, Map<String, JudgedOutputs> judged) {
    OperatorContext context =
        new OperatorContext(
            MAP,
            null,
            List.of(),
            new DocumentSizes(Map.of(), Map.of()),
            Set.of(),
            most -> most,
            Map.of(),
            physical -> new StoredAnswers(Map.of()).of("classify", physical),
            judged);
    Arm arm = Arm.of(MODEL);
    OperatorSamples samples =
        new OperatorSamples(
            MAP.id(), List.of(arm), List.of(), Map.of(), new OperatorEvidence(context, evidence));
    SamplingState state = SamplingBench.stateOf(Objective.MAXIMIZE_QUALITY, List.of(samples));
    Belief belief =
        Objects.requireNonNull(new SurrogateSampling(1, Priors.NONE).beliefs(state).get(MAP.id()))
            .get(arm);
    return Objects.requireNonNull(belief).intervals().quality();
  }

  @Test
  void aJudgeThatExplainsHalfOfTheVarianceNarrowsTheInterval() {
    Measured measured = measure(graded(0.5), 0);
    assertThat(measured.width()).isLessThanOrEqualTo(0.82);
    assertThat(measured.coverage()).isGreaterThanOrEqualTo(0.93);
  }

  @Test
  void aUselessJudgeCostsNothing() {
    Measured measured = measure(graded(0), 0);
    assertThat(measured.width()).isLessThanOrEqualTo(1.02);
    assertThat(measured.coverage()).isGreaterThanOrEqualTo(0.93);
  }

  @Test
  void rightOrWrongAnswers() {
    Measured half = measure(rightOrWrong(0.5), 0);
    Measured none = measure(rightOrWrong(0), 0);
    assertThat(half.coverage()).isGreaterThanOrEqualTo(0.93);
    assertThat(none.coverage()).isGreaterThanOrEqualTo(0.93);
  }

  @Test
  void drawnOutputsWithoutAScoreWidenTheInterval() {
    double all = measure(graded(0.5), 0).width();
    Measured some = measure(graded(0.5), 5);
    assertThat(some.coverage()).isGreaterThanOrEqualTo(0.93);
    assertThat(some.width()).isGreaterThan(all).isLessThanOrEqualTo(1);
  }
}
