package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.Standing;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One operator of which a policy draws samples, each answered by a function. */
public final class SamplingBench {

  public static final String OPERATOR = "classify";

  private final List<Arm> arms;
  private final List<String> examples;
  private final Map<String, Map<String, Sample>> samples = new HashMap<>();
  private final Function<Pull, Sample> world;

  public SamplingBench(int arms, int examples, Function<Pull, Sample> world) {
    this.arms = IntStream.range(0, arms).mapToObj(i -> Arm.named("m" + i)).toList();
    this.examples = IntStream.range(0, examples).mapToObj(i -> "e" + i).toList();
    this.world = world;
  }

  /** Arm {@code m3} has index 3. */
  public static int index(Arm arm) {
    return Integer.parseInt(arm.id().substring(1));
  }

  public static Sample.Observed observed(Pull pull, double quality, double cost, double latency) {
    return new Sample.Observed(observation(pull, Observation.Outcome.KEPT, quality, cost, latency));
  }

  public static Sample.Observed failed(Pull pull) {
    return new Sample.Observed(observation(pull, Observation.Outcome.FAILED, 0.0, 0, 0.1));
  }

  public static Sample.Observed unscored(Pull pull) {
    return new Sample.Observed(observation(pull, Observation.Outcome.KEPT, null, 0.1, 1));
  }

  /** The input of a policy whose budget counts samples, with what is required by default. */
  public static SamplingState stateOf(Objective objective, List<OperatorSamples> operators) {
    return new SamplingState(objective, operators, false, false, Standing.REQUIRED, null);
  }

  private static Observation observation(
      Pull pull,
      Observation.Outcome outcome,
      @Nullable Double quality,
      double cost,
      double latency) {
    return Observation.builder(
            pull.arm().id() + "/" + pull.exampleId(),
            "p",
            pull.operator(),
            pull.arm().id(),
            pull.exampleId())
        .outcome(outcome)
        .quality(quality)
        .scoredBy(quality == null ? Observation.ScoredBy.NOBODY : Observation.ScoredBy.LABEL)
        .cost(cost)
        .latency(latency)
        .build();
  }

  public SamplingState situation(String objective) {
    return stateOf(
        ObjectiveParser.parse(objective),
        List.of(AsMeasured.of(OPERATOR, arms, examples, samples)));
  }

  public SamplingState situation() {
    return situation(Objective.MAXIMIZE_QUALITY.toString());
  }

  public List<Arm> arms() {
    return arms;
  }

  public void answer(Pull pull) {
    put(pull, world.apply(pull));
  }

  public void put(Pull pull, Sample sample) {
    samples.computeIfAbsent(pull.arm().id(), _ -> new HashMap<>()).put(pull.exampleId(), sample);
  }

  public int drawn() {
    return samples.values().stream().mapToInt(Map::size).sum();
  }

  public int drawn(Arm arm) {
    return samples.getOrDefault(arm.id(), Map.of()).size();
  }

  /** Plays until the policy wants nothing more, at most {@code budget} samples. */
  public Proposal play(SamplingPolicy policy, String objective, int budget) {
    Proposal proposal = policy.propose(situation(objective));
    while (!proposal.pulls().isEmpty() && drawn() + proposal.pulls().size() <= budget) {
      proposal.pulls().forEach(this::answer);
      proposal = policy.propose(situation(objective));
    }
    return proposal;
  }
}
