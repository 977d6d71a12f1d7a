package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.OperatorSamples.ScoreVariance;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.Statistics;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The samples of implementations by operator, implementation and example, with their statistics.
 * Samples that measure a whole plan are found by their input only ({@link #on}).
 */
public final class SampleIndex {

  private record Indexed(Map<String, Map<String, Map<String, Sample>>> byOperator) {

    Indexed() {
      this(new HashMap<>());
    }

    void put(SampleTask task, Sample sample) {
      byOperator
          .computeIfAbsent(task.operator().id(), _ -> new HashMap<>())
          .computeIfAbsent(task.physical().id(), _ -> new HashMap<>())
          .put(task.exampleId(), sample);
    }

    Map<String, Map<String, Sample>> of(LogicalOperator operator) {
      return Collections.unmodifiableMap(byOperator.getOrDefault(operator.id(), Map.of()));
    }
  }

  private record Issued(SampleTask task, Sample sample) {}

  private final Map<String, List<Issued>> inOrder = new HashMap<>();
  private final Indexed samples = new Indexed();
  private final Indexed proposable = new Indexed();
  private final Indexed alongPlans = new Indexed();
  private final Map<String, Sample> byInput = new HashMap<>();
  private final ModelCalls calls = new ModelCalls();
  private final Statistics statistics;

  private final Map<String, ScoreVariance> scoreVariances;

  /**
   * @param scoreVariances of the operators whose scores do not tell it, by operator id
   */
  SampleIndex(Map<String, List<PhysicalOperator>> arms, Map<String, ScoreVariance> scoreVariances) {
    this.statistics = new Statistics(arms);
    this.scoreVariances = Map.copyOf(scoreVariances);
  }

  /**
   * Adds a sample; samples are added in order of issue.
   *
   * @param original the sample as it was drawn
   * @param sample the sample with the parameters learned from the other examples
   * @param proposable the sample as the sampling policy and measurements of whole plans get it:
   *     with the original observation if the implementation is estimated from labels
   */
  void add(StampedTask issued, Sample original, Sample sample, Sample proposable) {
    SampleTask task = issued.task();
    byInput.put(key(task.operator(), task.physical(), task.exampleId(), task.input()), sample);
    if (issued.stamp().alongPlan()) {
      alongPlans.put(task, proposable);
      return;
    }
    inOrder
        .computeIfAbsent(task.operator().id(), _ -> new ArrayList<>())
        .add(new Issued(task, original));
    samples.put(task, sample);
    this.proposable.put(task, proposable);
    if (original instanceof Sample.Observed(Observation observation)) {
      calls.add(task, observation);
    }
    if (sample instanceof Sample.Observed(Observation observation)) {
      statistics.add(observation);
    }
  }

  /** Equal for inputs that have equal values in the fields that the operator reads. */
  private static String key(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    Document read = operator.reads().isEmpty() ? input : input.only(operator.reads());
    return ContentHashes.of(
        ContentHashes.bytes(operator.id()),
        ContentHashes.bytes(physical.id()),
        ContentHashes.bytes(exampleId),
        read.toBytes());
  }

  /** The sample of an implementation on an example with this input; null if none was issued. */
  public @Nullable Sample on(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    return byInput.get(key(operator, physical, exampleId, input));
  }

  /** The samples of an operator, by implementation id and example id. */
  public Map<String, Map<String, Sample>> of(LogicalOperator operator) {
    return samples.of(operator);
  }

  /**
   * The samples as the sampling policy gets them. Like {@link #of}, but cascades that are estimated
   * from labels have their original observations: a policy that generalizes over implementations
   * would take the cost of an answer without a call for the price of the model.
   */
  public Map<String, Map<String, Sample>> forPolicy(LogicalOperator operator) {
    return proposable.of(operator);
  }

  /** The variance of the scores of an operator; null if the scores tell it. */
  public @Nullable ScoreVariance scoreVariance(LogicalOperator operator) {
    return scoreVariances.get(operator.id());
  }

  /** The samples that measure whole plans, by implementation id and example id. */
  public Map<String, Map<String, Sample>> alongPlans(LogicalOperator operator) {
    return alongPlans.of(operator);
  }

  /** Ids of the examples that the operator was sampled on, in order of first use. */
  public List<String> examples(LogicalOperator operator) {
    return issued(operator).stream().map(issued -> issued.task().exampleId()).distinct().toList();
  }

  /** The first task of the operator on an example; null if there is none. */
  public @Nullable SampleTask firstTask(LogicalOperator operator, String exampleId) {
    for (Issued issued : issued(operator)) {
      if (issued.task().exampleId().equals(exampleId)) {
        return issued.task();
      }
    }
    return null;
  }

  /** The failure messages of an operator, in order of issue. */
  public List<String> failures(LogicalOperator operator) {
    List<String> failures = new ArrayList<>();
    for (Issued issued : issued(operator)) {
      if (issued.sample() instanceof Sample.Observed(Observation observation)
          && observation.outcome() == Observation.Outcome.FAILED) {
        failures.add(String.valueOf(observation.failure()));
      }
    }
    return failures;
  }

  private List<Issued> issued(LogicalOperator operator) {
    return inOrder.getOrDefault(operator.id(), List.of());
  }

  /** Whether no implementation was sampled. */
  public boolean isEmpty() {
    return inOrder.isEmpty();
  }

  /** The observed model calls. */
  public ModelCalls calls() {
    return calls;
  }

  /** The statistics of all implementations. */
  public Statistics statistics() {
    return statistics;
  }
}
