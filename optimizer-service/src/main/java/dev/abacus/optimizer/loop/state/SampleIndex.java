package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.optimizer.estimate.OperatorEvidence;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The samples of implementations by operator, implementation and example, with the evidence that
 * they are. Samples that measure a whole plan are found by their input only ({@link #on}).
 *
 * <p>Answers that the learned parameters would have given to samples of an untrained implementation
 * are derived here, each by parameters that were learned without its example.
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

    boolean has(Evidence evidence) {
      return byOperator
          .getOrDefault(evidence.seen().operator(), Map.of())
          .getOrDefault(evidence.physical().id(), Map.of())
          .containsKey(evidence.seen().exampleId());
    }
  }

  private final ProgramDefinition definition;
  private final LearnedParameters learned;
  private final LabelJudgements judgements;
  private final Map<String, List<DrawnSample>> inOrder = new HashMap<>();
  private final Indexed samples = new Indexed();
  private final Indexed alongPlans = new Indexed();
  private final Map<String, Sample> byInput = new HashMap<>();
  private final Map<String, List<Evidence>> evidence = new HashMap<>();
  private final Map<String, Evidence> byId = new HashMap<>();
  private final ModelCalls calls = new ModelCalls();
  private final Map<String, OperatorContext> contexts = new HashMap<>();
  private final Map<String, OperatorEvidence> readings = new HashMap<>();
  private final Map<String, OperatorEvidence> decided = new HashMap<>();
  private final Map<String, SortedMap<PhysicalOperator, ArmStatistics>> statistics =
      new HashMap<>();

  SampleIndex(ProgramDefinition definition, LearnedParameters learned, LabelJudgements judgements) {
    this.definition = definition;
    this.learned = learned;
    this.judgements = judgements;
    definition.contexts().forEach(context -> contexts.put(context.operator().id(), context));
  }

  /** Adds a sample; samples are added in order of issue. */
  void add(DrawnSample issued) {
    SampleTask task = issued.task();
    Sample sample = issued.sample();
    boolean ofRun = issued.stamp().alongPlan();
    byInput.put(key(task.operator(), task.physical(), task.exampleId(), task.input()), sample);
    (ofRun ? alongPlans : samples).put(task, sample);
    if (sample instanceof Sample.Observed(Observation seen)) {
      Evidence one = learned.unseen(task, Evidence.of(task, seen, ofRun));
      evidence.computeIfAbsent(seen.operator(), _ -> new ArrayList<>()).add(one);
      byId.put(one.id(), one);
    }
    if (!ofRun) {
      inOrder.computeIfAbsent(task.operator().id(), _ -> new ArrayList<>()).add(issued);
      if (sample instanceof Sample.Observed(Observation seen)) {
        calls.add(task, seen);
      }
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

  /** The samples that measure whole plans, by implementation id and example id. */
  public Map<String, Map<String, Sample>> alongPlans(LogicalOperator operator) {
    return alongPlans.of(operator);
  }

  /**
   * The evidence of an observed sample.
   *
   * @param observation one that {@link #of} or {@link #on} contains
   */
  public Evidence evidence(Observation observation) {
    return Objects.requireNonNull(byId.get(observation.taskId()));
  }

  private Stream<Evidence> evidence(LogicalOperator operator, boolean ofRun) {
    return evidence.getOrDefault(operator.id(), List.of()).stream()
        .filter(one -> one.ofRun() == ofRun);
  }

  /**
   * What the samples say about the implementations of an operator. Cascades that are estimated from
   * labels count as they were drawn: a policy that generalizes over implementations would take the
   * cost of an answer without a call for the price of the model.
   */
  public OperatorEvidence readings(LogicalOperator operator) {
    return readings.computeIfAbsent(
        operator.id(),
        _ ->
            new OperatorEvidence(
                context(operator), evidence(operator, false).map(this::told).toList()));
  }

  /**
   * What the samples, the runs of whole plans, the judge of live outputs and all other evidence
   * say.
   *
   * @param counts whether runs on an example count
   */
  public OperatorEvidence readings(LogicalOperator operator, Predicate<String> counts) {
    Map<List<String>, Evidence> ofRuns = new LinkedHashMap<>();
    evidence(operator, true)
        .filter(one -> counts.test(one.seen().exampleId()) && !samples.has(one))
        .forEach(
            one -> ofRuns.put(List.of(one.physical().id(), one.seen().exampleId()), told(one)));
    Stream<Evidence> others =
        definition.sources().stream()
            .map(source -> source.of(operator))
            .flatMap(Collection::stream);
    List<Evidence> all =
        Stream.of(evidence(operator, false).map(this::told), ofRuns.values().stream(), others)
            .flatMap(kind -> kind)
            .map(Evidence::ofImplementation)
            .toList();
    return new OperatorEvidence(judged(operator), all);
  }

  private Evidence told(Evidence one) {
    return learned.followsFromLabels(one.seen().operator(), one.physical()) ? one.measured() : one;
  }

  /** What a sample says as a part of a run of a plan. */
  public Measurement inRun(LogicalOperator operator, Evidence sample) {
    return Objects.requireNonNull(decided(operator).find(sample.id()));
  }

  /** All samples, with the answers that follow from the learned parameters. */
  private OperatorEvidence decided(LogicalOperator operator) {
    return decided.computeIfAbsent(
        operator.id(),
        _ ->
            new OperatorEvidence(
                judged(operator), evidence.getOrDefault(operator.id(), List.of())));
  }

  /** What is known beside evidence, with what the judge says of live outputs. */
  private OperatorContext judged(LogicalOperator operator) {
    return context(operator).withJudged(judgements.outputs(operator.id(), definition.live()));
  }

  private OperatorContext context(LogicalOperator operator) {
    return Objects.requireNonNull(contexts.get(operator.id()));
  }

  /** Ids of the examples that the operator was sampled on, in order of first use. */
  public List<String> examples(LogicalOperator operator) {
    return issued(operator).stream().map(issued -> issued.task().exampleId()).distinct().toList();
  }

  /** The first task of the operator on an example; null if there is none. */
  public @Nullable SampleTask firstTask(LogicalOperator operator, String exampleId) {
    for (DrawnSample issued : issued(operator)) {
      if (issued.task().exampleId().equals(exampleId)) {
        return issued.task();
      }
    }
    return null;
  }

  /** The failure messages of an operator, in order of issue. */
  public List<String> failures(LogicalOperator operator) {
    List<String> failures = new ArrayList<>();
    for (DrawnSample issued : issued(operator)) {
      if (issued.sample() instanceof Sample.Observed(Observation observation)
          && observation.outcome() == Observation.Outcome.FAILED) {
        failures.add(String.valueOf(observation.failure()));
      }
    }
    return failures;
  }

  private List<DrawnSample> issued(LogicalOperator operator) {
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

  /** Number of observed samples of an operator's implementations that may be chosen. */
  public int observed(LogicalOperator operator) {
    List<PhysicalOperator> arms = definition.arms().getOrDefault(operator.id(), List.of());
    return (int) evidence(operator, false).filter(one -> arms.contains(one.physical())).count();
  }

  /** The sampled implementations that may be chosen, with their samples, in order of ids. */
  public SortedMap<PhysicalOperator, ArmStatistics> statistics(LogicalOperator operator) {
    return Collections.unmodifiableSortedMap(
        statistics.computeIfAbsent(operator.id(), _ -> summarized(operator)));
  }

  private SortedMap<PhysicalOperator, ArmStatistics> summarized(LogicalOperator operator) {
    SortedMap<PhysicalOperator, ArmStatistics> summarized = new TreeMap<>();
    for (PhysicalOperator arm : definition.arms().getOrDefault(operator.id(), List.of())) {
      List<Measurement> measured = decided(operator).of(arm.id());
      if (!measured.isEmpty()) {
        summarized.put(arm, ArmStatistics.of(measured));
      }
    }
    return summarized;
  }
}
