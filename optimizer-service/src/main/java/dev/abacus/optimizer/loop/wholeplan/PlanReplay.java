package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.optimizer.estimate.ArmStatistics;
import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.estimate.Evidence;
import dev.abacus.optimizer.estimate.Measurement;
import dev.abacus.optimizer.estimate.StoredAnswers;
import dev.abacus.optimizer.loop.input.OperatorInput;
import dev.abacus.optimizer.loop.input.OperatorInputs;
import dev.abacus.optimizer.loop.input.SampleRequest;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Runs one validation example through a whole plan from samples, each step on the actual output of
 * the plan's step before it.
 *
 * <p>Steps without a sample on the example, steps behind a filter that drops it, and steps on
 * several documents count with their means. Costs and latencies are those of live documents,
 * without what the answer store saves.
 *
 * @param walkable ids of the program's operators that an example can be carried to by itself
 * @param beliefs of all implementations: what steps count with that were not sampled
 * @param stored what the answer store leaves of the costs of live documents
 */
public record PlanReplay(
    ProgramSnapshot view, Set<String> walkable, Beliefs beliefs, StoredAnswers stored) {

  public PlanReplay(ProgramSnapshot view, Set<String> walkable, Beliefs beliefs) {
    this(view, walkable, beliefs, view.storedAnswers());
  }

  /**
   * The metrics of a run.
   *
   * @param quality product of the scores
   * @param cost USD if each filter passed its usual share of the document: a few runs that a filter
   *     all drops do not show that what stands behind it costs nothing
   * @param latency seconds
   * @param missing the sample that it stopped for; null if it was completed
   * @param waiting whether it stopped for an outstanding sample
   */
  record Result(
      double quality,
      double cost,
      double latency,
      @Nullable SampleRequest missing,
      boolean waiting) {

    boolean complete() {
      return missing == null && !waiting;
    }

    /** The mean of this run and one of another plan. */
    Result mixedWith(Result other, double share) {
      return new Result(
          (1 - share) * quality + share * other.quality,
          (1 - share) * cost + share * other.cost,
          (1 - share) * latency + share * other.latency,
          null,
          false);
    }
  }

  /** Runs the plan with the actual outputs of its own steps, both plans of a mixture. */
  Result actual(PlanChoice plan, ValidationExample example) {
    Result own = run(plan, example);
    Mixture mixture = plan.mixture();
    if (mixture == null || !own.complete()) {
      return own;
    }
    Result other = run(mixture.plan(), example);
    return other.complete() ? own.mixedWith(other, mixture.share()) : other;
  }

  private Result run(PlanChoice plan, ValidationExample example) {
    Walk walk = new Walk();
    Document document = example.document();
    Map<String, Document> outputs = new HashMap<>();
    boolean branches = plan.steps().stream().anyMatch(step -> step.logical() instanceof Merge);
    for (PlanStep step : plan.steps()) {
      LogicalOperator operator = step.logical();
      document = branches ? input(operator, plan, outputs, example.document()) : document;
      if (!isWalkable(operator) || walk.reach == 0) {
        walk.expect(step);
      } else if (operator instanceof Project project) {
        document = document.only(project.fields());
      } else if (operator.isSemantic()) {
        Sample sample = view.sampled(operator).on(step.physical(), example.id(), document);
        switch (sample) {
          case null -> {
            OperatorInput.Ready input =
                new OperatorInput.Ready(document, example.label(operator.id()), walk.rows);
            return walk.stop(
                new SampleRequest(operator, step.physical(), example.id(), input), false);
          }
          case Sample.Outstanding _ -> {
            return walk.stop(null, true);
          }
          case Sample.Lost _ -> walk.expect(step);
          case Sample.Observed(Observation observation) -> {
            Evidence evidence = view.sampled(operator).evidence(observation);
            walk.take(step, evidence);
            document = after(operator, evidence.seen(), document);
          }
        }
      } else {
        double reach = walk.reach;
        walk.expect(step);
        if (operator instanceof SemanticFilter filter) {
          walk.reach = filter.isDroppedByCode(document) ? 0 : reach;
        }
      }
      outputs.put(operator.id(), document);
    }
    return walk.stop(null, false);
  }

  /** The input of a step of a plan with branches, whose operators name their inputs. */
  private static Document input(
      LogicalOperator operator, PlanChoice plan, Map<String, Document> outputs, Document source) {
    Document left = outputs.getOrDefault(operator.input(), source);
    return operator instanceof Merge merge
        ? left.with(
            outputs
                .getOrDefault(merge.with(), source)
                .only(
                    BranchFields.of(merge, plan.steps().stream().map(PlanStep::logical).toList())))
        : left;
  }

  private static Document after(
      LogicalOperator operator, Observation observation, Document document) {
    return operator.decides() || observation.outputs().isEmpty()
        ? document
        : document.with(OperatorInputs.drawn(observation));
  }

  private boolean isWalkable(LogicalOperator operator) {
    return walkable.contains(operator.id());
  }

  private final class Walk {

    private double quality = 1;
    private double cost;
    private double latency;

    /** Number of documents that the example has become. */
    private double reach = 1;

    /** The same if each filter passes its usual share. */
    private double usualReach = 1;

    private final Map<String, Double> rows = new HashMap<>();

    void take(PlanStep step, Evidence evidence) {
      Measurement measured = view.sampled(step.logical()).inRun(evidence);
      Double score = measured.quality();
      quality *= score == null ? estimate(step).quality() : score;
      StoredAnswers.Remainder live = stored.of(step.logical().id(), step.physical());
      latency += live.latency() * measured.latency();
      cost += usualReach * live.cost() * measured.cost();
      reach *= measured.outputs();
      usualReach *= step.logical().decides() ? estimate(step).selectivity() : measured.outputs();
      if (evidence.seen().outputs().size() > 1) {
        rows.put(step.logical().id(), measured.outputs());
      }
    }

    void expect(PlanStep step) {
      LogicalOperator operator = step.logical();
      OperatorEstimate estimate =
          beliefs
              .fanouts()
              .perDocument(
                  operator, operator.isSemantic() ? estimate(step) : OperatorEstimate.RELATIONAL);
      quality *= estimate.quality();
      latency += estimate.latency();
      cost += usualReach * estimate.cost();
      reach *= estimate.selectivity();
      usualReach *= estimate.selectivity();
    }

    Result stop(@Nullable SampleRequest missing, boolean waiting) {
      return new Result(quality, cost, latency, missing, waiting);
    }
  }

  private OperatorEstimate estimate(PlanStep step) {
    Belief belief = beliefs.find(step);
    if (belief != null) {
      return belief.mean();
    }
    ArmStatistics known = view.sampled(step.logical()).statistics().get(step.physical());
    OperatorEstimate mean = known == null ? null : known.estimate();
    return mean == null
        ? OperatorEstimate.RELATIONAL
        : stored.of(step.logical().id(), step.physical()).of(mean);
  }
}
