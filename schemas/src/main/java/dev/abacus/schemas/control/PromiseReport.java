package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What the active plan promises, and what the workers measure on live documents under it. Part of
 * the optimizer's status record.
 *
 * @param epoch of the plan
 * @param standing of the plan towards its objective
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record PromiseReport(
    long epoch, @Nullable Standing standing, Promised promised, Measured measured) {

  private static final double OF_95_PERCENT = 1.96;

  /**
   * The promise of the plan, or its estimate.
   *
   * @param examples held-back examples that the plan was run on; null if there is no promise, so
   *     that the ranges are an estimate without an interval
   * @param cost USD per source document
   * @param latency seconds per source document
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Promised(@Nullable Integer examples, Range quality, Range cost, Range latency) {}

  /**
   * Means over live documents with their 95 % intervals.
   *
   * @param documents finished documents, including dead letters
   * @param quality product of the judged qualities of all semantic operators; null if one of them
   *     was not judged
   * @param cost USD per document, without the judge; null without documents, and if the plan has an
   *     operator over several documents, because its outputs are no source documents
   * @param latency seconds per document; null in the same cases
   * @param operators judged operators
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Measured(
      long documents,
      @Nullable Range quality,
      @Nullable Range cost,
      @Nullable Range latency,
      List<JudgedOperator> operators) {

    public Measured {
      operators = operators == null ? List.of() : List.copyOf(operators);
    }
  }

  /**
   * The live quality of an operator, in the measure of its estimate.
   *
   * @param judged number of scored outputs
   */
  public record JudgedOperator(String operator, long judged, Range quality) {}

  /**
   * The report that is part of the optimizer's status record.
   *
   * @return null without a record or a plan, and if another version wrote it
   */
  public static @Nullable PromiseReport find(@Nullable JsonNode search) {
    return search == null || !search.path("plan").isObject()
        ? null
        : Json.find(Json.write(search.get("plan")), PromiseReport.class);
  }

  /**
   * Compares a plan with the counters of its epoch.
   *
   * @param judged judge counters by operator
   * @param program with the objective in force, for which the plan may not be decided yet
   */
  public static PromiseReport of(
      PhysicalPlan plan, EpochCounts counts, Map<String, QualityCounts> judged, Program program) {
    List<JudgedOperator> operators = new ArrayList<>();
    boolean allJudged = true;
    for (PlanStep step : plan.steps()) {
      String id = step.logical().id();
      QualityCounts scores = judged.get(id);
      if (scores != null && scores.judged() > 0) {
        operators.add(
            new JudgedOperator(
                id,
                scores.judged(),
                scores.measured(program.validation().metric(id), OF_95_PERCENT)));
      } else if (step.logical().isSemantic()) {
        allJudged = false;
      }
    }
    long documents = counts.documents();
    boolean comparable =
        documents > 0 && plan.steps().stream().allMatch(step -> step.logical().isPerDocument());
    return new PromiseReport(
        plan.epoch(),
        plan.standing(program.objective()),
        promised(plan),
        new Measured(
            documents,
            allJudged && !operators.isEmpty() ? product(operators) : null,
            comparable ? mean(documents, counts.cost(), counts.costSquares()) : null,
            comparable ? mean(documents, counts.latency(), counts.latencySquares()) : null,
            operators));
  }

  private static Promised promised(PhysicalPlan plan) {
    PlanPromise promise = plan.promise();
    Range cost = plan.range(plan.choice(), Dimension.COST);
    return promise == null
        ? new Promised(
            null,
            Range.of(plan.estimate().quality()),
            plan.orders().isEmpty() ? Range.of(plan.estimate().cost()) : cost,
            Range.of(plan.estimate().latency()))
        : new Promised(promise.examples(), promise.quality(), cost, promise.latency());
  }

  private static Range mean(long documents, double sum, double squares) {
    return Range.ofMean(documents, sum, squares).clipped(0, Double.MAX_VALUE);
  }

  /**
   * The product of independent qualities; squared relative half widths add up. Without an interval
   * if one is unknown.
   */
  private static Range product(List<JudgedOperator> operators) {
    double mean = 1;
    double below = 0;
    double above = 0;
    boolean known = true;
    for (JudgedOperator operator : operators) {
      Range quality = operator.quality();
      mean *= quality.mean();
      if (quality.low() == null || quality.high() == null) {
        known = false;
      } else {
        double scale = Math.max(1e-3, quality.mean());
        below = Math.hypot(below, (quality.mean() - quality.low()) / scale);
        above = Math.hypot(above, (quality.high() - quality.mean()) / scale);
      }
    }
    return known
        ? Range.within(mean, mean * (1 - below), mean * (1 + above), 0, 1)
        : Range.of(mean);
  }
}
