package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.job.JobSnapshot;
import dev.abacus.deploy.score.ResultScores;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Summary of a finished job.
 *
 * @param plan the plan with most results, the active plan if there are none; null if no plan exists
 * @param scores scores of results against labels; empty without labels
 * @param simulated whether models were simulated; null if unknown
 */
public record JobSummary(
    String program,
    JobSnapshot job,
    double seconds,
    @Nullable PhysicalPlan plan,
    List<ResultScores.Figure> scores,
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
    if (!scores.isEmpty()) {
      json.set("scores", Json.tree(scores));
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
    scores.forEach(figure ->
        lines.add(
            "scored against %d labels: %s, %s %.3f"
                .formatted(
                    figure.documents(), figure.operator(), figure.metric(), figure.value())));
    return lines;
  }
}
