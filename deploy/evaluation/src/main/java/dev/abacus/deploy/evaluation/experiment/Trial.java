package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cascades.NamedPlan;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.ConfidenceMargin;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;

/**
 * One search: a policy draws samples of a simulated world until the budget is spent or it wants no
 * more, then the plan is searched for as it is in the product.
 */
final class Trial {

  private static final int NEW_ARM_EXAMPLES = 4;

  private final ExperimentSettings settings;
  private final SamplingPolicy policy;
  private final long seed;

  private final Map<String, List<Arm>> arms = new LinkedHashMap<>();
  private final Map<String, Map<String, Map<String, Sample>>> samples = new LinkedHashMap<>();
  private final Map<String, Integer> drawn = new HashMap<>();
  private final List<String> examples;
  private int total;
  private double spent;
  private double slowest;

  Trial(ExperimentSettings settings, SamplingPolicy policy, long seed) {
    this.settings = settings;
    this.policy = policy;
    this.seed = seed;
    for (Landscape landscape : settings.landscapes()) {
      arms.put(
          landscape.operator(),
          List.copyOf(landscape.arms().stream().map(LandscapeArm::arm).toList()));
      samples.put(landscape.operator(), new HashMap<>());
    }
    examples =
        IntStream.range(0, settings.examples())
            .mapToObj("e%04d"::formatted)
            .sorted(Comparator.comparingLong((String id) -> SeededHash.of(seed, id)))
            .toList();
  }

  TrialResult run() {
    boolean going = true;
    while (going && total < settings.mostSamples() && spent < settings.mostUsd()) {
      long start = System.nanoTime();
      Proposal proposal = policy.propose(situation());
      slowest = Math.max(slowest, (System.nanoTime() - start) / 1e6);
      going = draw(proposal, false) || draw(proposal, true);
    }
    return result();
  }

  private SamplingState situation() {
    List<OperatorSamples> operators = new ArrayList<>();
    arms.forEach((operator, all) ->
        operators.add(
            new OperatorSamples(
                operator, all, examples, Objects.requireNonNull(samples.get(operator)))));
    return new SamplingState(settings.objective(), operators);
  }

  /**
   * Draws what is wanted as far as it can be paid for.
   *
   * @param beyondShare whether operators may use what others leave of their equal shares
   * @return whether anything was drawn
   */
  private boolean draw(Proposal proposal, boolean beyondShare) {
    int share =
        beyondShare ? Integer.MAX_VALUE : settings.mostSamples() / settings.landscapes().size();
    int before = total;
    for (Pull pull : proposal.pulls()) {
      if (total < settings.mostSamples()
          && spent < settings.mostUsd()
          && drawn.getOrDefault(pull.operator(), 0) < share) {
        draw(pull);
      }
    }
    return total > before;
  }

  private void draw(Pull pull) {
    OperatorEstimate value =
        settings
            .noise()
            .sample(
                seed,
                pull.operator(),
                landscape(pull.operator()).arm(pull.arm().id()),
                pull.exampleId());
    Objects.requireNonNull(samples.get(pull.operator()))
        .computeIfAbsent(pull.arm().id(), _ -> new HashMap<>())
        .put(pull.exampleId(), new Sample.Observed(observation(pull, value)));
    drawn.merge(pull.operator(), 1, Integer::sum);
    total++;
    spent += value.cost();
  }

  private static Observation observation(Pull pull, OperatorEstimate value) {
    return Observation.builder(
            pull.arm().id() + "/" + pull.exampleId(),
            "experiment",
            pull.operator(),
            pull.arm().id(),
            pull.exampleId())
        .outcome(Observation.Outcome.KEPT)
        .score(value.quality(), Observation.ScoredBy.LABEL)
        .cost(value.cost())
        .latency(value.latency())
        .build();
  }

  private Landscape landscape(String operator) {
    return settings.landscapes().stream()
        .filter(landscape -> landscape.operator().equals(operator))
        .findFirst()
        .orElseThrow();
  }

  private TrialResult result() {
    Objective objective = settings.objective();
    Map<String, Map<Arm, Belief>> beliefs = policy.beliefs(situation());
    Map<String, List<Candidate>> candidates = new HashMap<>();
    beliefs.forEach((operator, byArm) -> candidates.put(operator, candidates(byArm)));
    NamedSearchResult found =
        NamedPlanSearch.search(settings.program(), candidates, objective, SearchOptions.DEFAULT);
    NamedPlan plan =
        found.feasible()
            ? new ConfidenceMargin(policy.caution())
                .choose(
                    found.chosen(),
                    found.frontier(),
                    objective,
                    NamedPlan::estimate,
                    choice -> beliefs(choice, beliefs))
            : found.chosen();
    Map<String, String> chosen = new LinkedHashMap<>();
    arms.keySet()
        .forEach(operator ->
            plan.steps().stream()
                .filter(step -> step.logical().id().equals(operator))
                .forEach(step -> chosen.put(operator, step.physical())));
    PlanValue truth = PlanValue.of(settings.landscapes(), chosen);
    return new TrialResult(
        seed,
        chosen,
        truth.quality(),
        truth.cost(),
        truth.latency(),
        truth.meets(objective),
        found.feasible(),
        total,
        spent,
        slowest);
  }

  private static List<Belief> beliefs(NamedPlan plan, Map<String, Map<Arm, Belief>> beliefs) {
    return plan.steps().stream()
        .map(step ->
            Objects.requireNonNull(
                Objects.requireNonNull(beliefs.get(step.logical().id()))
                    .get(Arm.named(step.physical()))))
        .toList();
  }

  /** As the product: those with enough samples, or all if there is none of them. */
  private List<Candidate> candidates(Map<Arm, Belief> beliefs) {
    int enough = policy.fullSamples(NEW_ARM_EXAMPLES);
    List<Map.Entry<Arm, Belief>> full =
        beliefs.entrySet().stream().filter(arm -> arm.getValue().samples() >= enough).toList();
    return (full.isEmpty() ? List.copyOf(beliefs.entrySet()) : full)
        .stream().map(arm -> new Candidate(arm.getKey().id(), arm.getValue().mean())).toList();
  }
}
