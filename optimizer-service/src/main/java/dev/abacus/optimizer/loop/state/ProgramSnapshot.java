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
 * The samples that count for the current program ({@link ProgramDefinition#currentSamples}),
 * indexed by operator, with their statistics and the parameters learned from them. A function of
 * the folded events.
 */
public final class ProgramSnapshot {

  private final Program program;
  private final Map<String, List<PhysicalOperator>> arms;
  private final Map<String, ValidationExample> examples;
  private final SampleLedger ledger;
  private final Statistics statistics;
  private final LearnedParameters learned;
  private final ModelAvailability availability;

  /** Tasks by operator id, in order of issue. */
  private final Map<String, List<StampedTask>> current = new LinkedHashMap<>();

  /** By operator id, implementation id and example id. */
  private final Map<String, Map<String, Map<String, Sample>>> samples = new HashMap<>();

  /** The same, as the sampling policy gets them. */
  private final Map<String, Map<String, Map<String, Sample>>> drawn = new HashMap<>();

  /** All samples, also those of whole plans, by {@link #inputKey}. */
  private final Map<String, Sample> byInput = new HashMap<>();

  /** Ids of the examples whose embedding was issued. */
  private final Map<EvidenceKey, Set<String>> embedded = new HashMap<>();

  /** The number of them in the last wave. */
  private final Map<EvidenceKey, Integer> embeddedLast = new HashMap<>();

  private final ModelCalls calls = new ModelCalls();

  private int outstanding;

  /** USD for the judge of samples that are not in the statistics. */
  private double otherJudgeUsd;

  private int alongPlans;
  private double paid;

  private ProgramSnapshot(
      ProgramDefinition definition, SampleLedger ledger, LearnedParameters learned) {
    this.program = definition.program();
    this.arms = definition.arms();
    this.examples = definition.examples();
    this.ledger = ledger;
    this.learned = learned;
    this.availability = definition.availability();
    this.statistics = new Statistics(arms);
    for (LogicalOperator operator : program.semanticOperators()) {
      current.put(operator.id(), new ArrayList<>());
      samples.put(operator.id(), new HashMap<>());
    }
  }

  /** Takes a snapshot. */
  static ProgramSnapshot of(
      ProgramDefinition definition,
      SampleLedger ledger,
      ContentHashes hashes,
      ParameterLearner learner) {
    List<StampedTask> counting = definition.currentSamples(ledger, hashes);
    ProgramSnapshot snapshot =
        new ProgramSnapshot(
            definition, ledger, learner.from(definition.program(), counting, ledger));
    long lastWave = counting.stream().mapToLong(issued -> issued.stamp().wave()).max().orElse(-1);
    for (StampedTask issued : counting) {
      if (issued.task().evidenceOnly()) {
        snapshot.addEvidence(issued, issued.stamp().wave() == lastWave);
      } else {
        snapshot.add(issued);
      }
    }
    definition.unavailable(ledger, hashes).forEach(snapshot::addUnavailable);
    return snapshot;
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
            learned.followsFromLabels(operator, task.physical()) ? ledger.sample(issued) : sample);
    switch (sample) {
      case Sample.Observed(Observation observation) -> statistics.add(observation);
      case Sample.Outstanding _ -> outstanding++;
      case Sample.Lost _ -> {
        // Counts neither as observed nor as outstanding.
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
        // Adds no evidence.
      }
    }
  }

  /** Counts what was paid, and nothing else. */
  private void addUnavailable(Observation observation) {
    paid += observation.spent() - observation.judgeCost();
    otherJudgeUsd += observation.judgeCost();
  }

  private void addAlongPlan(Sample sample) {
    switch (sample) {
      case Sample.Observed(Observation observation) -> {
        alongPlans++;
        otherJudgeUsd += observation.judgeCost();
      }
      case Sample.Outstanding _ -> outstanding++;
      case Sample.Lost _ -> {
        // Adds no observation.
      }
    }
  }

  /** Equal for inputs that have equal values in the fields that the operator reads. */
  private static String inputKey(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    Document read = operator.reads().isEmpty() ? input : input.only(operator.reads());
    return ContentHashes.of(
        ContentHashes.bytes(operator.id()),
        ContentHashes.bytes(physical.id()),
        ContentHashes.bytes(exampleId),
        read.toBytes());
  }

  /** The sample of an implementation on an example with this input; null if none was issued. */
  public @Nullable Sample sampleOn(
      LogicalOperator operator, PhysicalOperator physical, String exampleId, Document input) {
    return byInput.get(inputKey(operator, physical, exampleId, input));
  }

  /** Number of observations of implementations and of whole plans. */
  public int observed() {
    return statistics.samples() + alongPlans;
  }

  /** USD paid for all samples, without the judge. */
  public double spentUsd() {
    return paid;
  }

  /** USD paid to the judge. */
  public double judgeUsd() {
    return statistics.judgeCost() + otherJudgeUsd;
  }

  /** The sample with the parameters learned from the other examples ({@link LearnedParameters}). */
  private Sample unseen(StampedTask issued, Sample sample) {
    if (!(sample instanceof Sample.Observed(Observation observation))) {
      return sample;
    }
    paid += observation.spent() - observation.judgeCost();
    if (!issued.stamp().alongPlan()) {
      calls.add(issued.task(), observation);
    }
    return new Sample.Observed(learned.unseen(issued.task(), observation));
  }

  /** Ids of the examples whose embedding was issued. */
  public Set<String> embedded(EvidenceKey key) {
    return embedded.getOrDefault(key, Set.of());
  }

  /** The number of them in the last wave. */
  public int embeddedLast(EvidenceKey key) {
    return embeddedLast.getOrDefault(key, 0);
  }

  /** The observed model calls. */
  public ModelCalls calls() {
    return calls;
  }

  /** The parameters of learnable implementations. */
  public LearnedParameters learned() {
    return learned;
  }

  /** Which models cannot be called. */
  public ModelAvailability availability() {
    return availability;
  }

  /** The program with the objective and budget in force. */
  public Program program() {
    return program;
  }

  /** The example with this id; null if there is none. */
  public @Nullable ValidationExample example(String id) {
    return examples.get(id);
  }

  /** All examples, ordered by id. */
  public List<ValidationExample> examples() {
    return List.copyOf(examples.values());
  }

  /** Whether there is a validation example. */
  public boolean hasExamples() {
    return !examples.isEmpty();
  }

  /** The implementations that may be chosen for an operator, pins applied. */
  public List<PhysicalOperator> arms(LogicalOperator operator) {
    return arms.getOrDefault(operator.id(), List.of());
  }

  /**
   * The implementation with this id.
   *
   * @throws java.util.NoSuchElementException if it is not one of {@link #arms}
   */
  public PhysicalOperator arm(LogicalOperator operator, String id) {
    return arms(operator).stream().filter(arm -> arm.id().equals(id)).findFirst().orElseThrow();
  }

  /** The samples of an operator, by implementation id and example id. */
  public Map<String, Map<String, Sample>> samples(LogicalOperator operator) {
    return Collections.unmodifiableMap(of(samples, operator.id()));
  }

  /**
   * The samples as the sampling policy gets them. Like {@link #samples}, but cascades that {@link
   * LearnedParameters#followsFromLabels} have their original observations: a policy that
   * generalizes over implementations would take the cost of an answer without a call for the price
   * of the model.
   */
  public Map<String, Map<String, Sample>> drawn(LogicalOperator operator) {
    return Collections.unmodifiableMap(drawn.getOrDefault(operator.id(), Map.of()));
  }

  /** Ids of the examples that the operator was sampled on, in order of first use. */
  public List<String> examplesInUse(LogicalOperator operator) {
    return of(current, operator.id()).stream()
        .map(issued -> issued.task().exampleId())
        .distinct()
        .toList();
  }

  /** The first task of the operator on an example; null if there is none. */
  public @Nullable SampleTask firstTask(LogicalOperator operator, String exampleId) {
    for (StampedTask issued : current.getOrDefault(operator.id(), List.of())) {
      if (issued.task().exampleId().equals(exampleId)) {
        return issued.task();
      }
    }
    return null;
  }

  /** Whether a decision has to wait for outstanding samples or for the fit of a classifier. */
  public boolean isWaiting() {
    return outstanding > 0 || learned.isPending();
  }

  /** Number of outstanding samples of all operators. */
  public int outstanding() {
    return outstanding;
  }

  /** Number of tasks of all operators. */
  public int issued() {
    return current.values().stream().mapToInt(List::size).sum();
  }

  /** The statistics of all implementations. */
  public Statistics statistics() {
    return statistics;
  }

  /** The observed implementations of an operator by mean quality, best first, ties by id. */
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

  /** The failure messages of an operator, in order of issue. */
  public List<String> failures(LogicalOperator operator) {
    return of(current, operator.id()).stream()
        .map(issued -> ledger.observation(issued.task().id()))
        .filter(observation ->
            observation != null && observation.outcome() == Observation.Outcome.FAILED)
        .map(observation -> String.valueOf(observation.failure()))
        .toList();
  }

  /** The implementations that answered at least once. */
  public Map<PhysicalOperator, ArmStatistics> answering(LogicalOperator operator) {
    Map<PhysicalOperator, ArmStatistics> answering = statistics.of(operator.id());
    answering.values().removeIf(arm -> arm.failures() == arm.samples());
    return answering;
  }

  private static <T> T of(Map<String, T> byOperator, String operator) {
    return Objects.requireNonNull(byOperator.get(operator));
  }
}
