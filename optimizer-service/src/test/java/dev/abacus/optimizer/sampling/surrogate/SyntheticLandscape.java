package dev.abacus.optimizer.sampling.surrogate;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.AsMeasured;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingBench;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

/**
 * One operator with six models, whole and by chunks: 60 arms. Skill and price of a model differ by
 * a factor, fewer chunks cost less and lose some; samples scatter.
 */
final class SyntheticLandscape {

  static final String OPERATOR = "extract";
  private static final double[] SKILLS = {0.85, 0.75, 0.6, 0.45, 0.3, 0.2};
  private static final double[] PRICES = {0.02, 0.004, 0.01, 0.001, 0.002, 0.0005};

  final List<Arm> arms;
  final Map<String, OperatorEstimate> truth = new TreeMap<>();
  private final List<String> examples;
  private final Map<String, Map<String, Sample>> samples = new HashMap<>();
  private final long seed;
  private final boolean binary;
  int drawn;

  SyntheticLandscape(long seed) {
    this(seed, false);
  }

  /** An easy task whose scores are 0 or 1: all arms are right in 0.75 to 0.97 of cases. */
  static SyntheticLandscape rightOrWrong(long seed) {
    return new SyntheticLandscape(seed, true);
  }

  private SyntheticLandscape(long seed, boolean binary) {
    this.seed = seed;
    this.binary = binary;
    List<PhysicalOperator> physical = new ArrayList<>();
    for (int m = 0; m < SKILLS.length; m++) {
      String model = "model-" + m;
      add(physical, new ModelSelection(model), SKILLS[m], PRICES[m]);
      for (int chunk : List.of(1000, 2000, 4000)) {
        for (int k : List.of(1, 2, 4)) {
          double seen = Math.min(1, chunk * k / 16_000.0);
          add(
              physical,
              new ReducedContext(model, "embedder", chunk, k),
              SKILLS[m] * (0.4 + 0.6 * seen),
              PRICES[m] * (0.05 + 0.9 * seen));
        }
      }
    }
    arms = physical.stream().map(Arm::of).toList();
    examples = IntStream.range(0, 40).mapToObj(i -> "e" + i).toList();
  }

  private void add(
      List<PhysicalOperator> physical, PhysicalOperator arm, double quality, double cost) {
    physical.add(arm);
    double mean = binary ? 0.75 + 0.26 * quality : quality;
    truth.put(arm.id(), new OperatorEstimate(mean, cost, 1, 1));
  }

  OperatorEstimate truth(Arm arm) {
    return Objects.requireNonNull(truth.get(arm.id()));
  }

  SamplingState situation(String objective) {
    return situation(objective, UnaryOperator.identity());
  }

  SamplingState situation(String objective, UnaryOperator<List<Arm>> change) {
    return SamplingBench.stateOf(
        ObjectiveParser.parse(objective),
        List.of(AsMeasured.of(OPERATOR, change.apply(arms), examples, samples)));
  }

  /** Samples until the budget is spent. */
  void play(SamplingPolicy policy, String objective, int budget) {
    Proposal proposal = policy.propose(situation(objective));
    while (drawn < budget && !proposal.pulls().isEmpty()) {
      proposal.pulls().stream().limit(budget - drawn).forEach(this::draw);
      proposal = policy.propose(situation(objective));
    }
  }

  /** Samples the first pairs of arms and examples, example by example. */
  void drawAll(int pairs) {
    for (int pair = 0; pair < pairs; pair++) {
      draw(new Pull(OPERATOR, arms.get(pair % arms.size()), examples.get(pair / arms.size())));
    }
  }

  void draw(Pull pull) {
    OperatorEstimate mean = truth(pull.arm());
    SplittableRandom random =
        new SplittableRandom(SeededHash.of(seed, pull.arm().id() + pull.exampleId()));
    put(
        pull,
        Observation.Outcome.KEPT,
        binary
            ? random.nextDouble() < mean.quality() ? 1 : 0
            : Math.clamp(mean.quality() + 0.12 * random.nextGaussian(), 0, 1),
        mean.cost() * Math.exp(0.3 * random.nextGaussian()));
  }

  void put(Pull pull, Observation.Outcome outcome, double quality, double cost) {
    Observation observation =
        Observation.builder(
                pull.arm().id() + pull.exampleId(),
                "p",
                pull.operator(),
                pull.arm().id(),
                pull.exampleId())
            .outcome(outcome)
            .quality(quality)
            .scoredBy(Observation.ScoredBy.LABEL)
            .cost(cost)
            .latency(1)
            .build();
    samples
        .computeIfAbsent(pull.arm().id(), _ -> new HashMap<>())
        .put(pull.exampleId(), new Sample.Observed(observation));
    drawn++;
  }

  /** The arm that is best by what the policy believes. */
  Map.Entry<Arm, Belief> best(
      SamplingPolicy policy, String objective, Comparator<Map.Entry<Arm, Belief>> better) {
    Map<Arm, Belief> beliefs =
        Objects.requireNonNull(policy.beliefs(situation(objective)).get(OPERATOR));
    return beliefs.entrySet().stream().max(better).orElseThrow();
  }

  /** The truth turned upside down. */
  Priors reversed() {
    Map<String, OperatorEstimate> priors = new TreeMap<>();
    truth.forEach((id, mean) ->
        priors.put(id, new OperatorEstimate(1 - mean.quality(), 1e-6 / mean.cost(), 1, 1)));
    return new Priors(Map.of(OPERATOR, priors));
  }

  /** The truth. */
  Priors right() {
    return new Priors(Map.of(OPERATOR, truth));
  }
}
