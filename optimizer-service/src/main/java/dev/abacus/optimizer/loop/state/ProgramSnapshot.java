package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.Loadings;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.SampleSummary;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * The current program with its examples, the samples that count for it ({@link
 * ProgramDefinition#currentSamples}) and the parameters learned from them. A function of the folded
 * events.
 *
 * @param samples of implementations and of whole plans
 * @param embedded labelled examples that were embedded
 * @param totals over all samples
 * @param learned the parameters of learnable implementations
 * @param graded the examples that the judge sees
 * @param sizes how cost and latency grow with the size of documents
 */
public record ProgramSnapshot(
    ProgramDefinition definition,
    SampleIndex samples,
    EmbeddedExamples embedded,
    SampleTotals totals,
    LearnedParameters learned,
    GradedExamples graded,
    SizeAdjustment sizes) {

  /** Takes a snapshot. */
  static ProgramSnapshot of(
      ProgramDefinition definition,
      SampleLedger ledger,
      ContentHashes hashes,
      ParameterLearner learner) {
    List<StampedTask> all = definition.currentSamples(ledger, hashes);
    List<StampedTask> counting =
        all.stream().filter(issued -> !issued.task().isCompanion()).toList();
    LearnedParameters learned = learner.from(definition, counting, ledger);
    long lastWave = counting.stream().mapToLong(issued -> issued.stamp().wave()).max().orElse(-1);
    EmbeddedExamples embedded = new EmbeddedExamples();
    Map<StampedTask, Observation> observations = new LinkedHashMap<>();
    for (StampedTask issued : counting) {
      if (!issued.task().evidenceOnly()
          && ledger.sample(issued) instanceof Sample.Observed(Observation observation)) {
        observations.put(
            issued,
            definition
                .live()
                .batches()
                .apply(issued.task(), learned.unseen(issued.task(), observation)));
      }
    }
    SizeAdjustment sizes =
        SizeAdjustment.of(observations, definition.examples().values(), definition.live().sizes());
    Map<String, Observation> unseen = new HashMap<>();
    observations.forEach(
        (issued, observation) -> unseen.put(issued.task().id(), sizes.apply(issued, observation)));
    PooledScores pooled =
        PooledScores.of(
            definition.program(),
            counting.stream()
                .filter(issued -> !issued.stamp().alongPlan())
                .map(issued -> unseen.get(issued.task().id()))
                .filter(Objects::nonNull)
                .toList());
    PooledDecisions decisions =
        new PooledDecisions(definition.program(), definition.examples().values());
    for (StampedTask issued : counting) {
      Observation drawn = drawn(issued, ledger, learned, sizes, unseen);
      if (drawn != null) {
        decisions.add(issued, drawn);
      }
    }
    SampleIndex samples = new SampleIndex(definition.arms(), decisions.variances());
    WeightedRows rows = new WeightedRows(definition.program());
    for (StampedTask issued : counting) {
      Observation observed = unseen.get(issued.task().id());
      if (observed != null) {
        rows.add(issued, decisions.apply(issued, pooled.apply(observed)));
      }
    }
    for (StampedTask issued : counting) {
      SampleTask task = issued.task();
      if (task.evidenceOnly()) {
        embedded.add(issued, issued.stamp().wave() == lastWave);
      } else {
        Sample original = ledger.sample(issued);
        Observation observed = unseen.get(task.id());
        Observation drawn = drawn(issued, ledger, learned, sizes, unseen);
        boolean derived = learned.followsFromLabels(task.operator().id(), task.physical());
        Sample sample =
            observed == null
                ? original
                : new Sample.Observed(
                    rows.apply(issued, decisions.apply(issued, pooled.apply(observed))));
        Observation told = derived ? drawn : observed;
        Sample proposable =
            told == null || !(derived || issued.stamp().alongPlan())
                ? sample
                : new Sample.Observed(
                    derived
                        ? decisions.ofImplementation(issued, told)
                        : rows.apply(
                            issued, decisions.ofImplementation(issued, pooled.apply(told))));
        samples.add(issued, original, sample, proposable);
      }
    }
    return new ProgramSnapshot(
        definition,
        samples,
        embedded,
        SampleTotals.of(all, definition.unavailable(ledger, hashes), ledger),
        learned,
        GradedExamples.of(definition.program(), counting, ledger),
        sizes);
  }

  /**
   * The observation that tells about the decisions of an implementation: the original if the
   * implementation is estimated from labels. Null if there is none.
   */
  private static @Nullable Observation drawn(
      StampedTask issued,
      SampleLedger ledger,
      LearnedParameters learned,
      SizeAdjustment sizes,
      Map<String, Observation> unseen) {
    SampleTask task = issued.task();
    Observation observed = unseen.get(task.id());
    return observed != null
            && learned.followsFromLabels(task.operator().id(), task.physical())
            && ledger.sample(issued) instanceof Sample.Observed(Observation original)
        ? sizes.apply(issued, original)
        : observed;
  }

  /** Which models cannot be called. */
  public ModelAvailability availability() {
    return definition.availability();
  }

  /** The program with the objective and budget in force. */
  public Program program() {
    return definition.program();
  }

  /** The example with this id; null if there is none. */
  public @Nullable ValidationExample example(String id) {
    return definition.examples().get(id);
  }

  /** All examples, ordered by id. */
  public List<ValidationExample> examples() {
    return List.copyOf(definition.examples().values());
  }

  /** How many times as long live documents are as the examples, by source; empty if unknown. */
  public Map<String, Double> liveLengths() {
    return SizeAdjustment.liveRatios(definition.examples().values(), definition.live().sizes());
  }

  /** How many live documents share a call. */
  public LiveBatches liveBatches() {
    return definition.live().batches();
  }

  /**
   * The number of groups, passed documents and pairs per document, as far as workers counted them.
   *
   * @param beliefs estimates of all implementations, by operator id
   */
  public Fanouts fanouts(Map<String, Map<Arm, Belief>> beliefs) {
    return LiveFanouts.of(
        definition.program(),
        definition.live().flows(),
        operator -> {
          String active = definition.live().implementations().get(operator.id());
          Belief belief =
              active == null
                  ? null
                  : beliefs.getOrDefault(operator.id(), Map.of()).get(Arm.named(active));
          return belief == null ? 1 : belief.mean().selectivity();
        });
  }

  /** What the answer store leaves of the cost and the latency of live documents. */
  public StoredAnswers storedAnswers() {
    return LiveReuse.of(definition.live().reuse(), definition.live().implementations());
  }

  /**
   * Turns estimates of implementations of an operator into those of live documents: without what
   * the answer store saves, and with the error of the mean size of documents.
   */
  public BiFunction<PhysicalOperator, Belief, Belief> ofLiveDocuments(LogicalOperator operator) {
    StoredAnswers stored = storedAnswers();
    Set<String> upstream = BranchFields.upstream(operator.id(), program().operators());
    return (physical, belief) ->
        live(operator.id(), upstream, stored.of(operator.id(), physical), physical, belief);
  }

  private Belief live(
      String operator,
      Set<String> upstream,
      StoredAnswers.Remainder stored,
      PhysicalOperator physical,
      Belief belief) {
    Loadings reuse = stored.error(operator);
    return belief.with(
        stored.of(belief.mean()),
        reuse.plus(sizes.costError(upstream, operator, physical)),
        reuse.plus(sizes.latencyError(upstream, operator, physical)));
  }

  /**
   * The largest deviation of the steps of a plan, which bounds that of the logarithm of its cost
   * and latency, that runs on examples do not show: they do not use the answer store, and they
   * count as documents of mean size.
   */
  public double unseenDeviation(List<PlanStep> plan) {
    double ofSizes = 0;
    for (PlanStep step : plan) {
      String operator = step.logical().id();
      Set<String> upstream = BranchFields.upstream(operator, program().operators());
      ofSizes =
          Math.max(
              ofSizes,
              Math.max(
                  sizes.costError(upstream, operator, step.physical()).deviation(),
                  sizes.latencyError(upstream, operator, step.physical()).deviation()));
    }
    return Math.hypot(ofSizes, storedAnswers().deviation(plan));
  }

  /**
   * The cost of a plan if all its calls are made, as for a sample, in USD per source document.
   *
   * @param plan with its cost for live documents
   * @param beliefs estimates of all implementations for live documents, by operator id
   */
  public double costWithoutStore(PlanChoice plan, Map<String, Map<Arm, Belief>> beliefs) {
    return plan.estimate().cost()
        * storedAnswers()
            .withoutStore(
                plan.steps(),
                step ->
                    beliefs
                        .getOrDefault(step.logical().id(), Map.of())
                        .get(Arm.named(step.physical().id())),
                fanouts(beliefs));
  }

  /** Whether there is a validation example. */
  public boolean hasExamples() {
    return !definition.examples().isEmpty();
  }

  /**
   * The implementations that may be chosen for an operator, pins applied. Without enough labelled
   * examples, those that show examples are left out. Calls for more documents than there are
   * examples are left out unless they are pinned, because their samples would repeat examples.
   */
  public List<PhysicalOperator> arms(LogicalOperator operator) {
    List<PhysicalOperator> arms = definition.arms().getOrDefault(operator.id(), List.of());
    return arms.stream()
        .filter(arm -> learned.isApplicable(operator.id(), arm))
        .filter(arm ->
            arms.size() == 1 || arm.documentsPerCall() <= Math.max(1, definition.examples().size()))
        .toList();
  }

  /**
   * The implementation with this id.
   *
   * @throws java.util.NoSuchElementException if it is not one of {@link #arms}
   */
  public PhysicalOperator arm(LogicalOperator operator, String id) {
    return Optional.ofNullable(findArm(operator, id)).orElseThrow();
  }

  /** The implementation with this id; null if it is not one of {@link #arms}. */
  public @Nullable PhysicalOperator findArm(LogicalOperator operator, String id) {
    return arms(operator).stream().filter(arm -> arm.id().equals(id)).findFirst().orElse(null);
  }

  /**
   * Number of observations of implementations that may be chosen, and of whole plans. The samples
   * of one call count as one.
   */
  public int observed() {
    return (int) Math.round(samples.statistics().samples() + totals.ofPlans() - totals.inCalls());
  }

  /** Whether a decision has to wait for outstanding samples or for the fit of a classifier. */
  public boolean isWaiting() {
    return totals.outstanding() > 0 || learned.isPending();
  }

  /** The observed implementations of an operator by mean quality, best first, ties by id. */
  public List<PhysicalOperator> armsByQuality(LogicalOperator operator) {
    return samples.statistics().of(operator.id()).entrySet().stream()
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
  public Map<PhysicalOperator, ArmStatistics> answering(LogicalOperator operator) {
    Map<PhysicalOperator, ArmStatistics> answering = samples.statistics().of(operator.id());
    answering.values().removeIf(arm -> arm.failures() == arm.samples());
    return answering;
  }
}
