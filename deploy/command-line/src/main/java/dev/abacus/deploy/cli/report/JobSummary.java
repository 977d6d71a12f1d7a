package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.deploy.score.ResultScores;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Summary of a finished job.
 *
 * @param plan the plan with most results, the active plan if there are none; null if no plan exists
 * @param learnt what documents taught; empty if nothing was to be learnt
 * @param scores scores of results against labels; {@link ResultScores.Scores#NONE} without labels
 * @param simulated whether models were simulated; null if unknown
 */
public record JobSummary(
    String program,
    JobSnapshot job,
    double seconds,
    @Nullable PhysicalPlan plan,
    List<String> learnt,
    ResultScores.Scores scores,
    @Nullable Boolean simulated) {

  public ObjectNode json() {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("program", program)
        .put("documents", job.sent())
        .put("results", job.results())
        .put("outputs", job.outputs())
        .put("filtered", job.filtered())
        .put("consumed", job.consumed())
        .put("deadLetters", job.deadLetters())
        .put("costUsd", job.costUsd())
        .put("costPerDocumentUsd", job.sent() == 0 ? 0 : job.costUsd() / job.sent())
        .put("searchCostUsd", job.searchCostUsd())
        .put("seconds", seconds)
        .put("epoch", job.activeEpoch());
    ObjectNode epochs = json.putObject("resultsByEpoch");
    new TreeMap<>(job.resultsByEpoch())
        .forEach((epoch, count) -> epochs.put(epoch.toString(), count));
    json.set("plan", plan == null ? null : Json.tree(plan));
    if (!scores.figures().isEmpty()) {
      ArrayNode scored = json.putArray("scores");
      for (ResultScores.Figure figure : scores.figures()) {
        ObjectNode score = (ObjectNode) Json.tree(figure);
        scored.add(score.put("promised", promised(figure)));
      }
    }
    if (!scores.unscored().isEmpty()) {
      json.set("unscored", Json.tree(scores.unscored()));
    }
    if (plan != null) {
      json.put("promisedCostPerDocumentUsd", plan.promised(Dimension.COST));
    }
    if (job.search() != null && job.search().has("learning")) {
      json.set("learning", job.search().get("learning"));
    }
    json.put("simulated", simulated);
    return json;
  }

  /** Counts that appear only if results and documents do not correspond one to one. */
  private String more() {
    String consumed =
        job.consumed() == 0
            ? ""
            : ", %d filtered, beyond limits or gone into windows".formatted(job.consumed());
    String outputs =
        job.outputs() == job.results() ? "" : ", %d result records".formatted(job.outputs());
    return consumed + outputs;
  }

  public List<String> lines() {
    List<String> lines = new ArrayList<>();
    lines.add(
        "%d documents: %d results, %d filtered, %d dead letters%s, in %.1f s"
            .formatted(
                job.sent(), job.results(), job.filtered(), job.deadLetters(), more(), seconds));
    lines.add(
        "cost %s (%s per document), search %s%s"
            .formatted(
                Amounts.usd(job.costUsd()),
                Amounts.usd(job.sent() == 0 ? 0 : job.costUsd() / job.sent()),
                Amounts.usd(job.searchCostUsd()),
                Boolean.TRUE.equals(simulated)
                    ? "; SIMULATED models: nothing was spent, and quality is not that of real ones"
                    : ""));
    new TreeMap<>(job.resultsByEpoch())
        .forEach((epoch, count) -> lines.add("epoch %d gave %d results".formatted(epoch, count)));
    if (plan != null) {
      lines.add(
          "plan of epoch %d: %s (expected: %s)"
              .formatted(
                  plan.epoch(),
                  PlanReport.semantic(plan.choice()),
                  PlanReport.expected(plan.estimate())));
      lines.addAll(PlanReport.promise(plan));
    }
    learnt.forEach(line -> lines.add("  " + line));
    lines.addAll(compared());
    if (!scores.unscored().isEmpty()) {
      lines.add("no score of the whole plan: " + unscored());
    }
    return lines;
  }

  /** What was measured beside what the plan promises; empty without labels. */
  private List<String> compared() {
    if (scores.figures().isEmpty()) {
      return List.of();
    }
    Table table = new Table("scored against labels", "metric", "labels", "measured", "promised");
    for (ResultScores.Figure figure : scores.figures()) {
      Double promise = promised(figure);
      table.row(
          figure.operator(),
          figure.metric(),
          figure.documents(),
          String.format(Locale.ROOT, "%.3f", figure.value()),
          promise == null ? "" : String.format(Locale.ROOT, "%.3f", promise));
    }
    return table.lines();
  }

  /** The operators without a score, by the reason why they have none. */
  private String unscored() {
    Map<String, List<String>> byReason = new LinkedHashMap<>();
    for (ResultScores.Unscored unscored : scores.unscored()) {
      byReason.computeIfAbsent(unscored.reason(), _ -> new ArrayList<>()).add(unscored.operator());
    }
    return byReason.entrySet().stream()
        .map(entry -> "%s (%s)".formatted(String.join(", ", entry.getValue()), entry.getKey()))
        .collect(Collectors.joining("; "));
  }

  /**
   * The quality that the plan promises for the operator of a score, or of the whole plan. Null if
   * the plan states none, or another metric.
   */
  private @Nullable Double promised(ResultScores.Figure figure) {
    if (plan == null || !figure.comparable()) {
      return null;
    }
    if (figure.operator().equals(ResultScores.WHOLE_PLAN)) {
      return plan.promised(Dimension.QUALITY);
    }
    return plan.steps().stream()
        .filter(step -> step.logical().id().equals(figure.operator()))
        .findFirst()
        .map(plan::basis)
        .map(estimate -> estimate.quality().mean())
        .orElse(null);
  }
}
