package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.Statistics;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a program as it stands: of all samples those whose operator, metrics, label and
 * document are still the same, grouped by operator. A snapshot; it follows from the fold.
 */
public final class ProgramSnapshot {

  private final Program program;
  private final Map<String, List<PhysicalOperator>> arms;
  private final Map<String, ValidationExample> examples;
  private final SampleLedger ledger;
  private final String round;
  private final Statistics statistics;
  private final LearnedParameters learnt;

  /** Tasks that still count, in order of issue, by operator. */
  private final Map<String, List<StampedTask>> current = new LinkedHashMap<>();

  private final Map<String, Map<String, Map<String, Sample>>> samples = new HashMap<>();

  /** The same as policies see them. */
  private final Map<String, Map<String, Map<String, Sample>>> drawn = new HashMap<>();

  /** All that count, also along plans: by operator, implementation, example and what it read. */
  private final Map<String, Sample> byInput = new HashMap<>();

  /** Ids of the examples that were embedded for what they teach, or are about to be. */
  private final Map<EvidenceKey, Set<String>> embedded = new HashMap<>();

  /** How many of them the last wave held. */
  private final Map<EvidenceKey, Integer> embeddedLast = new HashMap<>();

  private final ModelCalls calls = new ModelCalls();

  private int outstanding;
  private double alongPlansJudgeUsd;
  private int alongPlans;
  private double paid;

  /**
   * @param arms by operator id: the implementations that may be chosen, pins applied
   * @param round the token in force; what failed in another round is not held against anything, for
   *     the reason may be gone
   */
  ProgramSnapshot(
      Program program,
      Map<String, List<PhysicalOperator>> arms,
      Map<String, ValidationExample> examples,
      SampleLedger ledger,
      ContentHashes hashes,
      ParameterLearner learning,
      String round) {
    this.program = program;
    this.round = round;
    this.arms = arms;
    this.examples = examples;
    this.ledger = ledger;
    this.statistics = new Statistics(arms);
    Map<String, String> definitions = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      definitions.put(operator.id(), hashes.definition(program, operator));
      current.put(operator.id(), new ArrayList<>());
      samples.put(operator.id(), new HashMap<>());
    }
    List<StampedTask> counting =
        ledger.issued().stream()
            .filter(issued -> isCurrent(issued, definitions, hashes))
            .sorted(Comparator.comparingLong(issued -> issued.stamp().sequence()))
            .toList();
    this.learnt = learning.from(program, counting, ledger);
    long lastWave = counting.stream().mapToLong(issued -> issued.stamp().wave()).max().orElse(-1);
    for (StampedTask issued : counting) {
      if (issued.task().evidenceOnly()) {
        addEvidence(issued, issued.stamp().wave() == lastWave);
      } else {
        add(issued);
      }
    }
  }

  private boolean isCurrent(
      StampedTask issued, Map<String, String> definitions, ContentHashes hashes) {
    String operator = issued.task().operator().id();
    if (!issued.stamp().definition().equals(definitions.get(operator))
        || isForgiven(issued)
        || (!issued.task().evidenceOnly() && ledger.isOutdated(issued, round))) {
      return false;
    }
    ValidationExample example = examples.get(issued.task().exampleId());
    return example == null || issued.stamp().evidence().equals(hashes.evidence(example, operator));
  }

  private boolean isForgiven(StampedTask issued) {
    return !issued.stamp().round().equals(round)
        && switch (ledger.sample(issued)) {
          case Sample.Observed(Observation observation) ->
              observation.outcome() == Observation.Outcome.FAILED;
          case Sample.Lost _ -> true;
          case Sample.Outstanding _ -> false;
        };
  }

  private void add(StampedTask issued) {
    String operator = issued.task().operator().id();
    Sample sample = unseen(issued, ledger.sample(issued));
    SampleTask task = issued.task();
    byInput.put(inputKey(task.operator(), task.physical(), task.exampleId(), task.input()), sample);
    if (issued.stamp().alongPlan()) {
      addAlongPlan(sample);
      return;
    }
    of(current, operator).add(issued);
    of(samples, operator)
        .computeIfAbsent(issued.task().physical().id(), _ -> new HashMap<>())
        .put(issued.task().exampleId(), sample);
    drawn
        .computeIfAbsent(operator, _ -> new HashMap<>())
        .computeIfAbsent(task.physical().id(), _ -> new HashMap<>())
        .put(
            task.exampleId(),
            learnt.followsFromLabels(operator, task.physical()) ? ledger.sample(issued) : sample);
    switch (sample) {
      case Sample.Observed(Observation observation) -> statistics.add(observation);
      case Sample.Outstanding _ -> outstanding++;
      case Sample.Lost _ -> {
        // Nothing is known of it, and nothing waited for.
      }
    }
  }

  private void addEvidence(StampedTask issued, boolean last) {
    EvidenceKey key = EvidenceKey.of(issued.task());
    if (key != null) {
      embedded.computeIfAbsent(key, _ -> new HashSet<>()).add(issued.task().exampleId());
      embeddedLast.merge(key, last ? 1 : 0, Integer::sum);
    }
    switch (ledger.sample(issued)) {
      case Sample.Observed(Observation observation) -> paid += observation.spent();
      case Sample.Outstanding _ -> outstanding++;
      case Sample.Lost _ -> {
        // Teaches nothing.
      }
    }
  }

  private void addAlongPlan(Sample sample) {
    switch (sample) {
      case Sample.Observed(Observation observation) -> {
        alongPlans++;
        alongPlansJudgeUsd += observation.judgeCost();
      }
      case Sample.Outstanding _ -> outstanding++;
      case Sample.Lost _ -> {
        // As above.
      }
    }
  }

  /** Two samples are the same to an implementation that reads the same fields with equal values. */
  private static String inputKey(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    Document read = operator.reads().isEmpty() ? input : input.only(operator.reads());
    return ContentHashes.of(
        ContentHashes.bytes(operator.id()),
        ContentHashes.bytes(physical.id()),
        ContentHashes.bytes(exampleId),
        read.toBytes());
  }

  /** What is known of an implementation on an example with that very input; null if nothing. */
  public @Nullable Sample sampleOn(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    return byInput.get(inputKey(operator, physical, exampleId, input));
  }

  /** Observations of implementations and of whole plans. */
  public int observed() {
    return statistics.samples() + alongPlans;
  }

  /** USD paid for all of them, without the judge. */
  public double spentUsd() {
    return paid;
  }

  /** USD paid to the judge. */
  public double judgeUsd() {
    return statistics.judgeCost() + alongPlansJudgeUsd;
  }

  /** What the sample would have come to with what was learnt from the others. */
  private Sample unseen(StampedTask issued, Sample sample) {
    if (!(sample instanceof Sample.Observed(Observation observation))) {
      return sample;
    }
    paid += observation.spent() - observation.judgeCost();
    if (!issued.stamp().alongPlan()) {
      calls.add(issued.task(), observation);
    }
    return new Sample.Observed(learnt.unseen(issued.task(), observation));
  }

  /** Ids of the examples that were embedded for what they teach, or are about to be. */
  public Set<String> embedded(EvidenceKey key) {
    return embedded.getOrDefault(key, Set.of());
  }

  /** How many of them the last wave held. */
  public int embeddedLast(EvidenceKey key) {
    return embeddedLast.getOrDefault(key, 0);
  }

  /** What models' calls came to, as they were drawn. */
  public ModelCalls calls() {
    return calls;
  }

  public LearnedParameters learnt() {
    return learnt;
  }

  public Program program() {
    return program;
  }

  /** The example of that id, or null. */
  public @Nullable ValidationExample example(String id) {
    return examples.get(id);
  }

  /** Examples that could have come from a source that the operator's input goes back to. */
  public List<ValidationExample> examples() {
    return List.copyOf(examples.values());
  }

  public boolean hasExamples() {
    return !examples.isEmpty();
  }

  public List<PhysicalOperator> arms(LogicalOperator operator) {
    return arms.getOrDefault(operator.id(), List.of());
  }

  /** The implementation of that id, one of {@link #arms}. */
  public PhysicalOperator arm(LogicalOperator operator, String id) {
    return arms(operator).stream().filter(arm -> arm.id().equals(id)).findFirst().orElseThrow();
  }

  /** By arm's id and example's id. */
  public Map<String, Map<String, Sample>> samples(LogicalOperator operator) {
    return Collections.unmodifiableMap(of(samples, operator.id()));
  }

  /**
   * As {@link #samples}, but those of a cascade whose worth follows from labelled examples are as
   * they were drawn. A policy that learns of one implementation for others would take the next to
   * nothing that an answer without a call costs for the price of the model.
   */
  public Map<String, Map<String, Sample>> drawn(LogicalOperator operator) {
    return Collections.unmodifiableMap(drawn.getOrDefault(operator.id(), Map.of()));
  }

  /** Ids of the examples that the operator was tried on, in order of first use. */
  public List<String> examplesInUse(LogicalOperator operator) {
    return of(current, operator.id()).stream()
        .map(issued -> issued.task().exampleId())
        .distinct()
        .toList();
  }

  /** The task that the operator was first tried with on an example; null if it never was. */
  public @Nullable SampleTask firstTask(LogicalOperator operator, String exampleId) {
    for (StampedTask issued : current.getOrDefault(operator.id(), List.of())) {
      if (issued.task().exampleId().equals(exampleId)) {
        return issued.task();
      }
    }
    return null;
  }

  /** Whether something has to come first: samples to come back, a classifier to be fitted. */
  public boolean isWaiting() {
    return outstanding > 0 || learnt.isPending();
  }

  /** Samples of all operators that are still to come back. */
  public int outstanding() {
    return outstanding;
  }

  /** Tasks that count, of all operators. */
  public int issued() {
    return current.values().stream().mapToInt(List::size).sum();
  }

  public Statistics statistics() {
    return statistics;
  }

  /** Observed arms of an operator, the best mean quality first, ties by id. */
  public List<PhysicalOperator> armsByQuality(LogicalOperator operator) {
    return statistics.of(operator.id()).entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<PhysicalOperator, ArmStatistics>>comparingDouble(
                    arm -> {
                      var quality = arm.getValue().quality();
                      return quality == null ? Double.POSITIVE_INFINITY : -quality.mean();
                    })
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The failures of an operator, in order of issue. */
  public List<String> failures(LogicalOperator operator) {
    return of(current, operator.id()).stream()
        .map(issued -> ledger.observation(issued.task().id()))
        .filter(observation ->
            observation != null && observation.outcome() == Observation.Outcome.FAILED)
        .map(observation -> String.valueOf(observation.failure()))
        .toList();
  }

  /** Implementations that gave an answer at least once. */
  public Map<PhysicalOperator, ArmStatistics> answering(LogicalOperator operator) {
    Map<PhysicalOperator, ArmStatistics> answering = statistics.of(operator.id());
    answering.values().removeIf(arm -> arm.failures() == arm.samples());
    return answering;
  }

  private static <T> T of(Map<String, T> byOperator, String operator) {
    return Objects.requireNonNull(byOperator.get(operator));
  }
}
