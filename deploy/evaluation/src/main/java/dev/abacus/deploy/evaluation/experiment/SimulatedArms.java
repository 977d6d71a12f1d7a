package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.Estimator;
import dev.abacus.optimizer.estimate.LiveAmounts;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.Readings;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Stand-ins for the implementations of landscapes, whose ids and techniques are free text. The loop
 * sees each implementation as model selection with a model of that name; the policy sees the
 * features of the landscape, as {@link #policy} translates between the two.
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

  /** Prices at which the forecast of a sample is its true mean cost. */
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
        arms.put(landscape.operator(), landscape.arms().stream().map(LandscapeArm::arm).toList()));
    return new TranslatedPolicy(policy, arms);
  }

  private record TranslatedPolicy(SamplingPolicy policy, Map<String, List<Arm>> arms)
      implements SamplingPolicy {

    @Override
    public Proposal propose(SamplingState state) {
      Proposal proposal = policy.propose(translated(state));
      return new Proposal(
          proposal.pulls().stream()
              .map(pull -> new Pull(pull.operator(), simulated(pull.arm()), pull.exampleId()))
              .toList(),
          proposal.conclusions(),
          proposal.outlooks());
    }

    @Override
    public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
      Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
      policy
          .beliefs(translated(state))
          .forEach((operator, byArm) -> {
            Map<Arm, Belief> simulated = new TreeMap<>();
            byArm.forEach((arm, belief) -> simulated.put(simulated(arm), belief));
            beliefs.put(operator, simulated);
          });
      return beliefs;
    }

    @Override
    public int fullSamples(int configured) {
      return policy.fullSamples(configured);
    }

    @Override
    public boolean hasDeviations() {
      return policy.hasDeviations();
    }

    private SamplingState translated(SamplingState state) {
      return state.map(this::translated);
    }

    private OperatorSamples translated(OperatorSamples operator) {
      List<Arm> own = arms.getOrDefault(operator.operator(), List.of());
      Map<String, Map<String, Sample>> samples = new HashMap<>();
      for (Arm arm : own) {
        Map<String, Sample> byExample = operator.samples().get(simulated(arm).id());
        if (byExample != null) {
          samples.put(arm.id(), byExample);
        }
      }
      return new OperatorSamples(
          operator.operator(),
          own,
          operator.examples(),
          samples,
          new TranslatedReadings(operator.readings()));
    }

    private static Arm simulated(Arm arm) {
      return Arm.named(new ModelSelection(arm.id()).id());
    }
  }

  private record TranslatedReadings(Readings readings) implements Readings {

    private static String simulated(String arm) {
      return new ModelSelection(arm).id();
    }

    @Override
    public List<Measurement> of(String implementation) {
      return readings.of(simulated(implementation));
    }

    @Override
    public Estimator.@Nullable ScoreVariance scoreVariance() {
      return readings.scoreVariance();
    }

    @Override
    public LiveAmounts live(String implementation) {
      return readings.live(simulated(implementation));
    }

    @Override
    public double tierPrice(String implementation) {
      return readings.tierPrice(simulated(implementation));
    }

    @Override
    public Readings without(Collection<String> examples) {
      return new TranslatedReadings(readings.without(examples));
    }
  }
}
