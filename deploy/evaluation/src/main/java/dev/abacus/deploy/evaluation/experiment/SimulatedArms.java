package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Stand-ins for the implementations of landscapes, whose ids and techniques are free text. The loop
 * sees each implementation as model selection with a model of that name; {@link #policy} gives the
 * policy the features of the landscape.
 */
final class SimulatedArms {

  /** Output tokens that the loop assumes when it forecasts the cost of a first sample. */
  private static final double FORECAST_TOKENS = 400;

  private SimulatedArms() {}

  /** The implementations of each operator. */
  static Map<String, List<PhysicalOperator>> searchSpace(List<Landscape> landscapes) {
    Map<String, List<PhysicalOperator>> space = new LinkedHashMap<>();
    for (Landscape landscape : landscapes) {
      space.put(
          landscape.operator(),
          landscape.arms().stream()
              .<PhysicalOperator>map(arm -> new ModelSelection(arm.arm().id()))
              .toList());
    }
    return space;
  }

  /** The id in the landscape of an implementation of {@link #searchSpace}. */
  static String id(PhysicalOperator physical) {
    return physical.chatModels().getFirst();
  }

  /**
   * Prices at which the forecast of a sample is its true mean cost; of equal ids in several
   * landscapes, the highest.
   */
  static ModelCatalogue catalogue(List<Landscape> landscapes) {
    Map<String, Double> highest = new TreeMap<>();
    for (Landscape landscape : landscapes) {
      landscape.arms().forEach(arm -> highest.merge(arm.arm().id(), arm.truth().cost(), Math::max));
    }
    List<ModelCard> cards = new ArrayList<>();
    highest.forEach((id, cost) ->
        cards.add(
            ModelCard.chat(id)
                .outputUsdPerMillion(1e6 * cost / FORECAST_TOKENS)
                .contextTokens(Integer.MAX_VALUE)
                .build()));
    return ModelCatalogue.of(cards);
  }

  /** A policy over the arms of landscapes, for a loop over {@link #searchSpace}. */
  static SamplingPolicy policy(SamplingPolicy policy, List<Landscape> landscapes) {
    Map<String, List<Arm>> arms = new HashMap<>();
    landscapes.forEach(landscape ->
        arms.put(
            landscape.operator(),
            landscape.arms().stream().map(arm -> simulated(arm.arm())).toList()));
    return new LandscapePolicy(policy, arms);
  }

  /** The features of an implementation of a landscape under the id of its stand-in. */
  private static Arm simulated(Arm arm) {
    return new Arm(
        new ModelSelection(arm.id()).id(),
        arm.technique(),
        arm.models(),
        arm.roles(),
        arm.numbers(),
        arm.labels());
  }

  /** A policy that sees the features of the landscape in place of those of the stand-ins. */
  private record LandscapePolicy(SamplingPolicy policy, Map<String, List<Arm>> arms)
      implements SamplingPolicy {

    @Override
    public Proposal propose(SamplingState state) {
      return policy.propose(featured(state));
    }

    @Override
    public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
      return policy.beliefs(featured(state));
    }

    @Override
    public int fullSamples(int configured) {
      return policy.fullSamples(configured);
    }

    @Override
    public boolean hasDeviations() {
      return policy.hasDeviations();
    }

    private SamplingState featured(SamplingState state) {
      return state.map(
          operator -> operator.withArms(arms.getOrDefault(operator.operator(), List.of())));
    }
  }
}
