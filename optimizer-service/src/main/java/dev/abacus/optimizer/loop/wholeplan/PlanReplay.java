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
import java.util.LinkedHashMap;
import java.util.List;
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
    Point start = new Point(example.document(), Map.of(), Map.of(), 0);
    Point last = start;
    Map<String, Point> points = new HashMap<>();
    boolean named = plan.steps().stream().anyMatch(step -> step.logical().inputs().size() > 1);
    for (PlanStep step : plan.steps()) {
      LogicalOperator operator = step.logical();
      Point from = named ? before(operator, plan, points, start) : last;
      if (!isWalkable(operator) || from.reach() == 0) {
        last = walk.expect(step, from);
      } else if (operator instanceof Project project) {
        last = from.after(operator, from.document().only(project.fields()), 1, 1, 0);
      } else if (operator.isSemantic()) {
        Sample sample = view.sampled(operator).on(step.physical(), example.id(), from.document());
        switch (sample) {
          case null -> {
            OperatorInput.Ready input =
                new OperatorInput.Ready(from.document(), example.label(operator.id()), walk.rows);
            return walk.stop(
                0, new SampleRequest(operator, step.physical(), example.id(), input), false);
          }
          case Sample.Outstanding _ -> {
            return walk.stop(0, null, true);
          }
          case Sample.Lost _ -> last = walk.expect(step, from);
          case Sample.Observed(Observation observation) ->
              last = walk.take(step, from, view.sampled(operator).evidence(observation));
        }
      } else {
        last = walk.expect(step, from);
        if (operator instanceof SemanticFilter filter) {
          last = last.with(operator, filter.isDroppedByCode(from.document()) ? 0 : 1);
        }
      }
      points.put(operator.id(), last);
    }
    return walk.stop(last.seconds(), null, false);
  }

  /** Where a step of a plan begins whose operators name their inputs. */
  private static Point before(
      LogicalOperator operator, PlanChoice plan, Map<String, Point> points, Point start) {
    List<Point> inputs =
        operator.inputs().stream().map(input -> points.getOrDefault(input, start)).toList();
    Point left = inputs.getFirst();
    if (inputs.size() == 1) {
      return left;
    }
    Point right = inputs.getLast();
    List<LogicalOperator> operators = plan.steps().stream().map(PlanStep::logical).toList();
    return left.beside(
        right,
        operator instanceof Merge merge
            ? left.document().with(right.document().only(BranchFields.of(merge, operators)))
            : left.document());
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

  /**
   * What has become of the example behind a step. Branches run side by side: what one of them drops
   * or takes is no matter of the other.
   *
   * @param outputs number of outputs per input, of the step and all operators upstream
   * @param usual the same if each filter passes its usual share
   * @param seconds since the document arrived
   */
  private record Point(
      Document document, Map<String, Double> outputs, Map<String, Double> usual, double seconds) {

    /** Number of documents that the example has become. */
    double reach() {
      return outputs.values().stream().reduce(1.0, (one, other) -> one * other);
    }

    double usualReach() {
      return usual.values().stream().reduce(1.0, (one, other) -> one * other);
    }

    Point after(
        LogicalOperator operator, Document next, double own, double usually, double latency) {
      return new Point(
          next, with(outputs, operator, own), with(usual, operator, usually), seconds + latency);
    }

    Point with(LogicalOperator operator, double own) {
      return new Point(document, with(outputs, operator, own), usual, seconds);
    }

    Point beside(Point other, Document both) {
      Map<String, Double> all = new LinkedHashMap<>(outputs);
      all.putAll(other.outputs);
      Map<String, Double> allUsual = new LinkedHashMap<>(usual);
      allUsual.putAll(other.usual);
      return new Point(both, all, allUsual, Math.max(seconds, other.seconds));
    }

    private static Map<String, Double> with(
        Map<String, Double> known, LogicalOperator operator, double outputs) {
      Map<String, Double> more = new LinkedHashMap<>(known);
      more.put(operator.id(), outputs);
      return more;
    }
  }

  private final class Walk {
    private double quality = 1;
    private double cost;
    private final Map<String, Double> rows = new HashMap<>();

    Point take(PlanStep step, Point from, Evidence evidence) {
      LogicalOperator operator = step.logical();
      Measurement measured = view.sampled(operator).inRun(evidence);
      Double score = measured.quality();
      quality *= score == null ? estimate(step).quality() : score;
      StoredAnswers.Remainder live = stored.of(operator.id(), step.physical());
      cost += from.usualReach() * live.cost() * measured.cost();
      if (evidence.seen().outputs().size() > 1) {
        rows.put(operator.id(), measured.outputs());
      }
      return from.after(
          operator,
          PlanReplay.after(operator, evidence.seen(), from.document()),
          measured.outputs(),
          operator.decides() ? estimate(step).selectivity() : measured.outputs(),
          live.latency() * measured.latency());
    }

    Point expect(PlanStep step, Point from) {
      LogicalOperator operator = step.logical();
      OperatorEstimate estimate =
          beliefs
              .fanouts()
              .perDocument(
                  operator, operator.isSemantic() ? estimate(step) : OperatorEstimate.RELATIONAL);
      quality *= estimate.quality();
      cost += from.usualReach() * estimate.cost();
      double outputs = estimate.selectivity();
      return from.after(operator, from.document(), outputs, outputs, estimate.latency());
    }

    Result stop(double seconds, @Nullable SampleRequest missing, boolean waiting) {
      return new Result(quality, cost, seconds, missing, waiting);
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
