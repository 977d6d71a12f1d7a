package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.estimate.JudgedOutputs;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.optimizer.estimate.OperatorEvidence;
import dev.abacus.optimizer.estimate.SampleSummary;
import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The samples of one operator that count, and the evidence that they are. Samples that measure a
 * whole plan are {@link #alongPlans} or found by their input ({@link #on}); all other methods are
 * about the samples of implementations.
 *
 * <p>Answers that the learned parameters would have given to samples of an untrained implementation
 * are derived here, each by parameters that were learned without its example.
 *
 * <p>The samples of the chosen plan that were scored by labels are drawn once more without them
 * ({@link #isJudgement}), so that the judge scores the same implementation on the same examples.
 * Then its scores of live outputs are evidence ({@link JudgedOutputs}). Such samples are paid for
 * by the setting of the judge, not by the budget of samples.
 */
public final class SampledOperator {

  /** Prefix of the ids of samples for the judge. */
  private static final String JUDGEMENT = "judged-";

  private final ProgramDefinition definition;
  private final LearnedParameters learned;
  private final OperatorContext context;
  private final List<DrawnSample> all;

  /** The samples of implementations, in order of issue. */
  private final List<DrawnSample> drawn = new ArrayList<>();

  private final Map<String, Map<String, Sample>> byArm = new HashMap<>();
  private final Map<String, Map<String, Sample>> alongPlans = new HashMap<>();
  private final Map<String, Sample> byInput = new HashMap<>();

  /** By task id, in order of issue. */
  private final SequencedMap<String, Evidence> evidence = new LinkedHashMap<>();

  private @Nullable OperatorEvidence readings;
  private @Nullable OperatorEvidence decided;
  private @Nullable SortedMap<PhysicalOperator, ArmStatistics> statistics;
  private @Nullable TextsRead longest;

  private SampledOperator(
      ProgramDefinition definition,
      OperatorContext context,
      LearnedParameters learned,
      List<DrawnSample> all) {
    this.definition = definition;
    this.context = context;
    this.learned = learned;
    this.all = all;
  }

  /**
   * Indexes the samples of an operator.
   *
   * @param all in order of issue, those for the judge included
   */
  static SampledOperator of(
      ProgramDefinition definition,
      OperatorContext context,
      LearnedParameters learned,
      List<DrawnSample> all) {
    SampledOperator operator = new SampledOperator(definition, context, learned, all);
    all.stream()
        .filter(issued -> counts(issued) && !issued.task().evidenceOnly())
        .forEach(operator::add);
    return operator;
  }

  /** Whether a sample is one of an implementation, not of its other documents or for the judge. */
  static boolean counts(DrawnSample issued) {
    return !issued.task().isCompanion() && !isJudgement(issued.task());
  }

  /** Whether a sample is for the judge only, and says nothing else about the implementation. */
  static boolean isJudgement(SampleTask task) {
    return task.id().startsWith(JUDGEMENT);
  }

  /** Id of the sample that draws another one once more for the judge. */
  public static String judgementId(SampleTask task) {
    return JUDGEMENT + task.id();
  }

  private void add(DrawnSample issued) {
    SampleTask task = issued.task();
    boolean ofRun = issued.stamp().alongPlan();
    byInput.put(key(task.physical(), task.exampleId(), task.input()), issued.sample());
    (ofRun ? alongPlans : byArm)
        .computeIfAbsent(task.physical().id(), _ -> new HashMap<>())
        .put(task.exampleId(), issued.sample());
    if (issued.sample() instanceof Sample.Observed(Observation seen)) {
      evidence.put(task.id(), learned.unseen(task, Evidence.of(task, seen, ofRun)));
    }
    if (!ofRun) {
      drawn.add(issued);
    }
  }

  /** Equal for inputs that have equal values in the fields that the operator reads. */
  private String key(PhysicalOperator physical, String exampleId, Document input) {
    List<String> reads = context.operator().reads();
    return ContentHashes.of(
        ContentHashes.bytes(physical.id()),
        ContentHashes.bytes(exampleId),
        (reads.isEmpty() ? input : input.only(reads)).toBytes());
  }

  /** The sample of an implementation on an example with this input; null if none was issued. */
  public @Nullable Sample on(PhysicalOperator physical, String exampleId, Document input) {
    return byInput.get(key(physical, exampleId, input));
  }

  /** The samples by implementation id and example id. */
  public Map<String, Map<String, Sample>> byArm() {
    return Collections.unmodifiableMap(byArm);
  }

  /** The samples that measure whole plans, by implementation id and example id. */
  public Map<String, Map<String, Sample>> alongPlans() {
    return Collections.unmodifiableMap(alongPlans);
  }

  /**
   * The evidence of an observed sample.
   *
   * @param observation one that {@link #byArm} or {@link #on} contains
   */
  public Evidence evidence(Observation observation) {
    return Objects.requireNonNull(evidence.get(observation.taskId()));
  }

  private Stream<Evidence> evidence(boolean ofRun) {
    return evidence.values().stream().filter(one -> one.ofRun() == ofRun);
  }

  /**
   * What the samples say about the implementations. Cascades that are estimated from labels count
   * as they were drawn: a policy that generalizes over implementations would take the cost of an
   * answer without a call for the price of the model.
   */
  public OperatorEvidence readings() {
    OperatorEvidence known = readings;
    if (known == null) {
      known = new OperatorEvidence(context, evidence(false).map(this::asDrawn).toList());
      readings = known;
    }
    return known;
  }

  /**
   * What the samples, the runs of whole plans, the judge of live outputs and all other evidence
   * say.
   *
   * @param counts whether runs on an example count
   */
  public OperatorEvidence readings(Predicate<String> counts) {
    Map<List<String>, Evidence> ofRuns = new LinkedHashMap<>();
    evidence(true)
        .filter(one -> counts.test(one.seen().exampleId()) && !isSampled(one))
        .forEach(
            one -> ofRuns.put(List.of(one.physical().id(), one.seen().exampleId()), asDrawn(one)));
    Stream<Evidence> others =
        definition.sources().stream()
            .map(source -> source.of(context.operator()))
            .flatMap(Collection::stream);
    List<Evidence> counted =
        Stream.of(evidence(false).map(this::asDrawn), ofRuns.values().stream(), others)
            .flatMap(kind -> kind)
            .map(Evidence::ofImplementation)
            .toList();
    return new OperatorEvidence(withJudged(), counted);
  }

  /** Whether the implementation was sampled on the example of a run. */
  private boolean isSampled(Evidence run) {
    return byArm.getOrDefault(run.physical().id(), Map.of()).containsKey(run.seen().exampleId());
  }

  private Evidence asDrawn(Evidence one) {
    return learned.followsFromLabels(one.seen().operator(), one.physical()) ? one.measured() : one;
  }

  /** What a sample says as a part of a run of a plan. */
  public Measurement inRun(Evidence sample) {
    return Objects.requireNonNull(decided().find(sample.id()));
  }

  /** All samples, with the answers that follow from the learned parameters. */
  private OperatorEvidence decided() {
    OperatorEvidence known = decided;
    if (known == null) {
      known = new OperatorEvidence(withJudged(), List.copyOf(evidence.values()));
      decided = known;
    }
    return known;
  }

  /** What is known beside evidence, with what the judge says of labelled and live outputs. */
  private OperatorContext withJudged() {
    Map<String, Map<String, Double>> scores = new HashMap<>();
    for (DrawnSample issued : all) {
      SampleTask task = issued.task();
      if (isJudgement(task)
          && issued.sample() instanceof Sample.Observed(Observation seen)
          && seen.quality() != null
          && seen.scoredBy() == ScoredBy.JUDGE) {
        scores
            .computeIfAbsent(answering(task.physical()), _ -> new HashMap<>())
            .put(task.exampleId(), seen.quality());
      }
    }
    Map<String, JudgedOutputs> outputs = new HashMap<>();
    definition
        .live()
        .judged()
        .getOrDefault(context.operator().id(), Map.of())
        .forEach((implementation, live) ->
            outputs.put(
                implementation,
                new JudgedOutputs(scores.getOrDefault(implementation, Map.of()), live)));
    return context.withJudged(outputs);
  }

  /** The id of an implementation at whatever service tiers. */
  private static String answering(PhysicalOperator physical) {
    return ServiceTier.withoutTiers(physical.id());
  }

  /**
   * Samples of an implementation that the judge could score, too; empty if they are too few to tell
   * anything. Labels that were chosen because of answers are not compared: what the judge says of
   * such outputs is not what it says of all.
   */
  public List<DrawnSample> labelled(PhysicalOperator implementation) {
    List<DrawnSample> samples =
        all.stream()
            .filter(issued ->
                answering(issued.task().physical()).equals(answering(implementation))
                    && issued.sample() instanceof Sample.Observed(Observation seen)
                    && seen.quality() != null
                    && seen.scoredBy() == ScoredBy.LABEL
                    && !definition.hasChosenLabel(issued.task().exampleId())
                    && issued.task().weight() == null
                    && issued.task().batch() == null)
            .toList();
    return samples.size() < JudgedOutputs.LEAST_PAIRS ? List.of() : samples;
  }

  /** Whether the quality is a mean of scores. */
  public boolean isMean() {
    return context.isMean();
  }

  /**
   * The observed calls of a model, by example id: {@link DrawnSample#call}. If several samples call
   * it on one example, model selection takes precedence.
   */
  public SortedMap<String, Observation> calls(String model) {
    SortedMap<String, Observation> calls = new TreeMap<>();
    for (DrawnSample issued : drawn) {
      Observation call = issued.call(model);
      if (call != null) {
        boolean precedes = issued.task().physical() instanceof ModelSelection;
        calls.merge(call.exampleId(), call, (known, next) -> precedes ? next : known);
      }
    }
    return calls;
  }

  /** Ids of the examples that were used, in order of first use. */
  public List<String> examples() {
    return drawn.stream().map(issued -> issued.task().exampleId()).distinct().toList();
  }

  /** The first task on an example; null if there is none. */
  public @Nullable SampleTask firstTask(String exampleId) {
    return drawn.stream()
        .map(DrawnSample::task)
        .filter(task -> task.exampleId().equals(exampleId))
        .findFirst()
        .orElse(null);
  }

  /** The failure messages, in order of issue. */
  public List<String> failures() {
    return drawn.stream()
        .map(DrawnSample::observation)
        .filter(seen -> seen != null && seen.outcome() == Observation.Outcome.FAILED)
        .map(seen -> String.valueOf(seen.failure()))
        .toList();
  }

  /** Whether no implementation was sampled. */
  boolean isEmpty() {
    return drawn.isEmpty();
  }

  /**
   * Whether an implementation shows every example whole, so that its samples would measure model
   * selection under another name. False if that is not known: the operator reads what others write.
   */
  boolean isModelSelection(PhysicalOperator arm) {
    TextsRead known = longest;
    if (known == null) {
      known = TextsRead.longest(definition, context);
      longest = known;
    }
    return arm.showsWhole(known.number(), known.bytes());
  }

  private List<PhysicalOperator> arms() {
    return definition.arms(context.operator());
  }

  /** Number of observed samples of implementations that may be chosen. */
  public int observed() {
    // A sample's implementation may have parameters that a search space does not know.
    Set<String> known = definition.armIds(context.operator());
    return (int) evidence(false).filter(one -> known.contains(one.physical().id())).count();
  }

  /** The sampled implementations that may be chosen, with their samples, in order of ids. */
  public SortedMap<PhysicalOperator, ArmStatistics> statistics() {
    SortedMap<PhysicalOperator, ArmStatistics> known = statistics;
    if (known == null) {
      known = new TreeMap<>();
      for (PhysicalOperator arm : arms()) {
        List<Measurement> measured = decided().of(arm.id());
        if (!measured.isEmpty()) {
          known.put(arm, ArmStatistics.of(measured));
        }
      }
      statistics = known;
    }
    return Collections.unmodifiableSortedMap(known);
  }

  /** The observed implementations by mean quality, best first, ties by id. */
  public List<PhysicalOperator> armsByQuality() {
    return statistics().entrySet().stream()
        .sorted(
            Comparator.<Map.Entry<PhysicalOperator, ArmStatistics>>comparingDouble(
                    arm -> {
                      SampleSummary quality = arm.getValue().quality();
                      return quality == null ? Double.POSITIVE_INFINITY : -quality.mean();
                    })
                .thenComparing(Map.Entry.comparingByKey()))
        .map(Map.Entry::getKey)
        .toList();
  }

  /** The implementations that answered at least once. */
  public Map<PhysicalOperator, ArmStatistics> answering() {
    Map<PhysicalOperator, ArmStatistics> answering = new TreeMap<>(statistics());
    answering.values().removeIf(ArmStatistics::alwaysFailed);
    return answering;
  }
}
