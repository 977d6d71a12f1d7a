package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.evaluation.paper.OfflineSearch;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/**
 * A data plane that answers sample tasks from landscapes: the true means of the implementation,
 * with noise. The same seed, operator, implementation and example give the same observation. Calls
 * that several implementations make for one example are paid once ({@link CallPlan}). Not
 * thread-safe.
 */
final class LandscapeDataPlane implements OfflineSearch.DataPlane {

  private final ExperimentSettings settings;
  private final long seed;
  private final Map<String, CallPlan> plans = new HashMap<>();
  private final Set<String> answered = new HashSet<>();
  private long made;
  private long shared;

  /** The data plane of one search. */
  LandscapeDataPlane(ExperimentSettings settings, long seed) {
    this.settings = settings;
    this.seed = seed;
    settings
        .landscapes()
        .forEach(landscape -> plans.put(landscape.operator(), CallPlan.of(landscape)));
  }

  /** The model calls so far. */
  TrialResult.Calls calls() {
    return new TrialResult.Calls(made, shared);
  }

  /**
   * The share of the cost of a sample that is paid: that of the calls that were not made before.
   */
  private double pay(SampleTask task) {
    List<CallPlan.Call> calls =
        Objects.requireNonNull(plans.get(task.operator().id())).of(arm(task).arm());
    double paid = calls.isEmpty() ? 1 : 0;
    Map<String, Integer> ordinals = new HashMap<>();
    for (CallPlan.Call call : calls) {
      int ordinal = ordinals.merge(call.key(), 1, Integer::sum);
      if (answered.add(
          String.join("\n", task.operator().id(), task.exampleId(), call.key(), "" + ordinal))) {
        made++;
        paid += call.share();
      } else {
        shared++;
      }
    }
    return paid;
  }

  private LandscapeArm arm(SampleTask task) {
    return settings.landscape(task.operator().id()).arm(SimulatedArms.id(task.physical()));
  }

  @Override
  public Observation sample(SampleTask task) {
    String operator = task.operator().id();
    OperatorEstimate value = settings.noise().sample(seed, operator, arm(task), task.exampleId());
    Document output =
        task.input()
            .with(task.operator().writtenFields().getFirst(), TextNode.valueOf(task.exampleId()));
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(List.of(output))
        .quality(value.quality())
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(value.cost())
        .latency(value.latency())
        .paid(value.cost() * pay(task))
        .build();
  }
}
