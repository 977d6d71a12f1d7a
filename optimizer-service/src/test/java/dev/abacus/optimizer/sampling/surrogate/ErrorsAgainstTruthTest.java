package dev.abacus.optimizer.sampling.surrogate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.plan.ModelSelection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Estimates of drawn samples, compared with the quality that they were drawn from. */
class ErrorsAgainstTruthTest {

  private static final double TRUTH = 0.6;
  private static final double SCATTER = 0.1;
  private static final int EXAMPLES = 20;

  private static final List<Arm> ARMS =
      IntStream.range(0, 3).mapToObj(i -> Arm.of(new ModelSelection("m" + i))).toList();

  /** Adds what an implementation, an example or the judge shifts a score by. */
  private interface Shift {
    double of(int arm, int example, ScoredBy by);
  }

  private static OperatorSamples operator(String id, Random random, int judged, Shift shift) {
    Map<String, Map<String, Sample>> samples = new HashMap<>();
    for (int a = 0; a < ARMS.size(); a++) {
      Arm arm = ARMS.get(a);
      Map<String, Sample> byExample = new HashMap<>();
      for (int i = 0; i < EXAMPLES; i++) {
        ScoredBy by = i < judged ? ScoredBy.JUDGE : ScoredBy.LABEL;
        double score = TRUTH + shift.of(a, i, by) + SCATTER * random.nextGaussian();
        byExample.put(
            "e" + i,
            new Sample.Observed(
                Observation.builder(id + arm.id() + i, "p", id, arm.id(), "e" + i)
                    .quality(Math.clamp(score, 0, 1))
                    .scoredBy(by)
                    .cost(0.01)
                    .latency(1)
                    .build()));
      }
      samples.put(arm.id(), byExample);
    }
    return AsMeasured.of(
        id, ARMS, IntStream.range(0, EXAMPLES).mapToObj(i -> "e" + i).toList(), samples);
  }

  /** The beliefs about the first implementation of each operator. */
  private static List<Belief> beliefs(List<OperatorSamples> operators) {
    return beliefs(operators, ARMS.getFirst());
  }

  private static List<Belief> beliefs(List<OperatorSamples> operators, Arm arm) {
    SamplingState state =
        SamplingBench.stateOf(ObjectiveParser.parse("maximize quality"), operators);
    Map<String, Map<Arm, Belief>> all = new SurrogateSampling(1, Priors.NONE).beliefs(state);
    return operators.stream()
        .map(operator ->
            Objects.requireNonNull(all.getOrDefault(operator.operator(), Map.of()).get(arm)))
        .toList();
  }

  /** Mean errors over draws: of the sum of the estimates, and what is stated of it. */
  private record Errors(double actual, double stated, double ifIndependent) {

    static Errors of(boolean sharedExamples) {
      Random random = new Random(5);
      double actual = 0;
      double stated = 0;
      double independent = 0;
      int draws = 60;
      for (int draw = 0; draw < draws; draw++) {
        List<OperatorSamples> operators = new ArrayList<>();
        double[] common = random.doubles(EXAMPLES).toArray();
        for (int o = 0; o < 4; o++) {
          double[] own = sharedExamples ? common : random.doubles(EXAMPLES).toArray();
          // Uniform with standard deviation 0.12.
          operators.add(operator("o" + o, random, 0, (_, i, _) -> 0.42 * (own[i] - 0.5)));
        }
        Loadings error = Loadings.NONE;
        double difference = 0;
        for (Belief belief : beliefs(operators)) {
          error = error.plus(belief.quality());
          difference += belief.mean().quality() - TRUTH;
          independent += belief.quality().variance() / draws;
        }
        actual += difference * difference / draws;
        stated += error.variance() / draws;
      }
      return new Errors(Math.sqrt(actual), Math.sqrt(stated), Math.sqrt(independent));
    }
  }

  @Test
  void operatorsThatFindTheSameExamplesHardErrTogether() {
    Errors errors = Errors.of(true);

    assertThat(errors.stated()).isCloseTo(errors.actual(), within(0.25 * errors.actual()));
    assertThat(errors.ifIndependent()).isLessThan(0.75 * errors.actual());
  }

  @Test
  void operatorsThatFindOtherExamplesHardErrIndependently() {
    Errors errors = Errors.of(false);

    assertThat(errors.stated()).isCloseTo(errors.actual(), within(0.3 * errors.actual()));
  }

  @Test
  void scoresOfTheJudgeAreOnAScaleOfTheirOwn() {
    Random random = new Random(8);
    double bias = 0;
    int covered = 0;
    int draws = 40;
    for (int draw = 0; draw < draws; draw++) {
      Belief belief =
          beliefs(List.of(operator("o", random, 14, (_, _, by) -> by == ScoredBy.JUDGE ? 0.2 : 0)))
              .getFirst();
      double error = belief.mean().quality() - TRUTH;
      bias += error / draws;
      covered += Math.abs(error) < 2 * belief.quality().deviation() ? 1 : 0;
    }

    // 14 of 20 scores are 0.2 too high, so their plain mean is by 0.14.
    assertThat(bias).isBetween(-0.03, 0.05);
    assertThat(covered).isGreaterThanOrEqualTo(draws * 9 / 10);
  }

  @Test
  void aJudgeThatIsKindToBadAnswersDoesNotMakeTheBestImplementationsWorse() {
    Random random = new Random(9);
    double bias = 0;
    int covered = 0;
    int draws = 40;
    for (int draw = 0; draw < draws; draw++) {
      // Qualities of 0.8, 0.6 and 0.4, to which the judge gives 0.75, 0.65 and 0.55.
      Shift shift = (arm, _, by) -> by == ScoredBy.JUDGE ? 0.15 - 0.1 * arm : 0.2 - 0.2 * arm;
      for (int arm : new int[] {0, 2}) {
        Belief belief =
            beliefs(List.of(operator("o", random, 14, shift)), ARMS.get(arm)).getFirst();
        double error = belief.mean().quality() - (0.8 - 0.2 * arm);
        bias += (arm == 0 ? -error : error) / 2 / draws;
        covered += Math.abs(error) < 2 * belief.quality().deviation() ? 1 : 0;
      }
    }

    assertThat(bias).isBetween(-0.02, 0.045);
    assertThat(covered).isGreaterThanOrEqualTo(2 * draws * 8 / 10);
  }
}
