package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.DocumentSizes;
import dev.abacus.optimizer.estimate.OperatorContext;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.loop.budget.CostForecast;
import dev.abacus.optimizer.loop.event.ContentHashes;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.ExampleIds;
import dev.abacus.optimizer.loop.event.SampleLedger;
import dev.abacus.optimizer.loop.prompt.GradedExamples;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The current program with its examples, the samples that count for it ({@link
 * ProgramDefinition#currentSamples}) and the parameters learned from them. A function of the folded
 * events.
 *
 * @param operators the operators with their samples, by id
 * @param embedded labelled examples that were embedded
 * @param totals over all samples
 * @param learned the parameters of learnable implementations
 * @param graded the examples that the judge sees
 */
public record ProgramSnapshot(
    ProgramDefinition definition,
    Map<String, SampledOperator> operators,
    EmbeddedExamples embedded,
    SampleTotals totals,
    LearnedParameters learned,
    GradedExamples graded) {

  /** Takes a snapshot. */
  static ProgramSnapshot of(
      ProgramDefinition definition,
      SampleLedger ledger,
      ContentHashes hashes,
      ParameterLearner learner) {
    List<DrawnSample> all = definition.currentSamples(ledger, hashes);
    List<DrawnSample> counting = all.stream().filter(SampledOperator::counts).toList();
    EmbeddedExamples embedded = EmbeddedExamples.of(counting);
    LearnedParameters learned = learner.from(definition, counting, embedded);
    Map<String, List<DrawnSample>> samples =
        all.stream().collect(Collectors.groupingBy(issued -> issued.task().operator().id()));
    Map<String, SampledOperator> operators = new HashMap<>();
    for (OperatorContext context : definition.contexts()) {
      String id = context.operator().id();
      operators.put(
          id,
          SampledOperator.of(definition, context, learned, samples.getOrDefault(id, List.of())));
    }
    return new ProgramSnapshot(
        definition,
        operators,
        embedded,
        SampleTotals.of(all, definition.paidOnly(ledger, hashes), definition),
        learned,
        GradedExamples.of(definition.program(), counting));
  }

  /** An operator with its samples. */
  public SampledOperator sampled(LogicalOperator operator) {
    return Objects.requireNonNull(operators.get(operator.id()));
  }

  /** Whether no implementation of any operator was sampled. */
  public boolean isUnsampled() {
    return operators.values().stream().allMatch(SampledOperator::isEmpty);
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
    return DocumentSizes.liveRatios(definition.examples().values(), definition.live().sizes());
  }

  /** What workers count on live documents. */
  public LiveCounts live() {
    return definition.live();
  }

  /**
   * What is believed of live documents.
   *
   * @param estimates of all implementations, by operator id
   */
  public Beliefs beliefs(Map<String, Map<Arm, Belief>> estimates) {
    Beliefs stated = new Beliefs(estimates, Fanouts.STATED);
    Fanouts counted =
        live()
            .fanouts(
                program(),
                operator -> {
                  String active = definition.implementations().get(operator.id());
                  Belief belief = active == null ? null : stated.find(operator.id(), active);
                  return belief == null ? 1 : belief.mean().selectivity();
                });
    return new Beliefs(estimates, counted);
  }

  /** What the answer store leaves of the cost and the latency of live documents. */
  public StoredAnswers storedAnswers() {
    return definition.storedAnswers();
  }

  /**
   * The largest deviation of the steps of a plan, which bounds that of the logarithm of its cost
   * and latency, that runs on examples do not show: they do not use the answer store, and they
   * count as documents of mean size.
   */
  public double unseenDeviation(List<PlanStep> plan) {
    return plan.stream()
        .filter(step -> step.logical().isSemantic())
        .mapToDouble(step -> sampled(step.logical()).readings().live(step.physical()).deviation())
        .max()
        .orElse(0);
  }

  /**
   * The cost of a plan if all its calls are made, as for a sample, in USD per source document.
   *
   * @param plan with its cost for live documents
   */
  public double costWithoutStore(PlanChoice plan, Beliefs beliefs) {
    double with = plan.mean(PlanChoice::estimate).cost();
    double without = plan.mean(part -> withoutStore(part, beliefs)).cost();
    return with > 0 ? plan.estimate().cost() * without / with : plan.estimate().cost();
  }

  private Estimate withoutStore(PlanChoice plan, Beliefs beliefs) {
    Estimate with = plan.estimate();
    double ratio = storedAnswers().withoutStore(plan.steps(), beliefs::find, beliefs.fanouts());
    return new Estimate(with.quality(), ratio * with.cost(), with.latency());
  }

  /** Whether there is a validation example. */
  public boolean hasExamples() {
    return !definition.examples().isEmpty();
  }

  /**
   * The implementations that may be chosen for an operator, pins applied. Without enough labelled
   * examples, those that show examples are left out. Unless they are pinned, so are those that are
   * model selection on every example, and calls for more documents than there are examples, because
   * their samples would repeat others.
   */
  public List<PhysicalOperator> arms(LogicalOperator operator) {
    return definition.arms(operator).stream().filter(arm -> mayBeChosen(operator, arm)).toList();
  }

  private boolean mayBeChosen(LogicalOperator operator, PhysicalOperator arm) {
    return learned.isApplicable(operator.id(), arm)
        && (definition.arms(operator).size() == 1
            || (arm.documentsPerCall() <= Math.max(1, definition.examples().size())
                && !sampled(operator).isModelSelection(arm)));
  }

  /** The implementation with this id; null if it is not one of {@link #arms}. */
  public @Nullable PhysicalOperator findArm(LogicalOperator operator, String id) {
    return definition.arms(operator).stream()
        .filter(arm -> arm.id().equals(id) && mayBeChosen(operator, arm))
        .findFirst()
        .orElse(null);
  }

  /**
   * Number of observations of implementations that may be chosen, and of whole plans. The samples
   * of one call count as one.
   */
  public int observed() {
    int observed = operators.values().stream().mapToInt(SampledOperator::observed).sum();
    return (int) Math.round(observed + totals.ofPlans() - totals.inCalls());
  }

  /** Whether a decision has to wait for outstanding samples or for the fit of a classifier. */
  public boolean isWaiting() {
    return totals.outstanding() > 0 || learned.isPending();
  }

  /** The labelled examples whose embedding was issued, by operator and embedder. */
  public static final class EmbeddedExamples {

    private final Map<EvidenceKey, Set<String>> examples = new HashMap<>();
    private final Map<EvidenceKey, Integer> inLastWave = new HashMap<>();

    private EmbeddedExamples() {}

    static EmbeddedExamples of(List<DrawnSample> counting) {
      long last = counting.stream().mapToLong(issued -> issued.stamp().wave()).max().orElse(-1);
      EmbeddedExamples embedded = new EmbeddedExamples();
      for (DrawnSample issued : counting) {
        EvidenceKey key = EvidenceKey.of(issued.task());
        if (key != null && issued.task().evidenceOnly()) {
          embedded
              .examples
              .computeIfAbsent(key, _ -> new HashSet<>())
              .add(issued.task().exampleId());
          embedded.inLastWave.merge(key, issued.stamp().wave() == last ? 1 : 0, Integer::sum);
        }
      }
      return embedded;
    }

    /** The ids of the examples. */
    public Set<String> of(EvidenceKey key) {
      return Collections.unmodifiableSet(examples.getOrDefault(key, Set.of()));
    }

    /** Whether the last wave had a full batch, so that more follow. */
    public boolean isGrowing(EvidenceKey key) {
      return inLastWave.getOrDefault(key, 0) >= key.batch();
    }
  }

  /**
   * Totals over the samples that count for the current program.
   *
   * @param ofPlans number of observations of whole plans
   * @param inCalls by how many the observations of implementations that may be chosen, and of whole
   *     plans, are more than their calls for several documents
   * @param outstanding number of samples without an observation, embeddings included
   * @param spentUsd USD paid, judge included
   * @param judgeUsd USD paid to the judge
   * @param tokens judge included
   * @param live the samples on live documents
   */
  public record SampleTotals(
      int ofPlans,
      double inCalls,
      int outstanding,
      double spentUsd,
      double judgeUsd,
      long tokens,
      LiveRuns live) {

    /** Number of live documents beside the plan, and USD paid for their samples and the judge. */
    public record LiveRuns(int documents, double spentUsd) {

      private static LiveRuns of(List<Observation> observations) {
        return new LiveRuns(
            (int) observations.stream().map(Observation::exampleId).distinct().count(),
            observations.stream().mapToDouble(Observation::spent).sum());
      }
    }

    /**
     * Adds up samples.
     *
     * @param paidOnly observations of which only the cost counts
     */
    static SampleTotals of(
        List<DrawnSample> samples, List<Observation> paidOnly, ProgramDefinition definition) {
      Map<String, Set<String>> chosen = new HashMap<>();
      List<DrawnSample> observed =
          samples.stream().filter(issued -> issued.observation() != null).toList();
      List<Observation> paid = new ArrayList<>(paidOnly);
      observed.forEach(issued -> paid.add(Objects.requireNonNull(issued.observation())));
      return new SampleTotals(
          (int)
              observed.stream()
                  .filter(issued -> issued.stamp().alongPlan() && !issued.task().isCompanion())
                  .count(),
          observed.stream()
              .filter(issued ->
                  issued.stamp().alongPlan()
                      || issued.task().batch() == null
                      || chosen
                          .computeIfAbsent(
                              issued.task().operator().id(),
                              _ -> definition.armIds(issued.task().operator()))
                          .contains(issued.task().physical().id()))
              .map(DrawnSample::task)
              .mapToDouble(SampleTotals::inCall)
              .sum(),
          (int)
              samples.stream()
                  .filter(issued -> issued.sample() instanceof Sample.Outstanding)
                  .count(),
          paid.stream().mapToDouble(Observation::spent).sum(),
          paid.stream().mapToDouble(Observation::judgeCost).sum(),
          paid.stream().mapToLong(CostForecast::tokens).sum(),
          LiveRuns.of(paid.stream().filter(one -> ExampleIds.isLive(one.exampleId())).toList()));
    }

    /** By how much a task is more than its part of a call for several documents. */
    private static double inCall(SampleTask task) {
      SampleTask.Batch batch = task.batch();
      return batch == null ? 0 : (task.isCompanion() ? 0 : 1) - 1.0 / batch.documents();
    }
  }
}
