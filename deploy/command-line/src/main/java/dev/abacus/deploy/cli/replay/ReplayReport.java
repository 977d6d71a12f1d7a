package dev.abacus.deploy.cli.replay;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.report.Amounts;
import dev.abacus.deploy.cli.report.PromiseLines;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.replay.Candidate;
import dev.abacus.deploy.replay.ReplayComparison;
import dev.abacus.deploy.replay.ReplayComparison.Change;
import dev.abacus.deploy.replay.ReplayComparison.Costs;
import dev.abacus.deploy.replay.ReplayComparison.Difference;
import dev.abacus.deploy.replay.ReplayComparison.SamePlan;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.Range;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What a replay found.
 *
 * @param name of the candidate, such as {@code the plan of epoch 17}
 * @param epoch in force
 * @param inForce what is promised and measured of the plan in force; null if no optimizer reports
 * @param paidUsd spent on the replay
 * @param stopped why the replay ended early; null if it did not
 * @param next the command that puts the candidate in force
 */
record ReplayReport(
    String name,
    Candidate candidate,
    long epoch,
    @Nullable PromiseReport inForce,
    ReplayComparison comparison,
    double paidUsd,
    @Nullable String stopped,
    String next) {

  /** Differences that text shows; JSON has all. */
  private static final int SHOWN = 10;

  private static final int LONGEST_VALUE = 60;

  private static final PromiseReport.Measured UNKNOWN =
      new PromiseReport.Measured(0, null, null, null, List.of());

  ObjectNode json() {
    ObjectNode json =
        JsonNodeFactory.instance
            .objectNode()
            .put("program", candidate.program().name())
            .put("candidate", name)
            .put("epochInForce", epoch);
    json.set(
        "steps",
        Json.tree(
            candidate.plan().steps().stream()
                .map(step -> step.logical().id() + "=" + step.physical().id())
                .toList()));
    json.set("notes", Json.tree(candidate.notes()));
    json.set("documents", Json.tree(comparison.counts()));
    json.set("fields", Json.tree(comparison.fields()));
    json.set("samePlan", Json.tree(comparison.samePlan()));
    Costs costs = comparison.costs();
    json.set("sameDocuments", costs == null ? null : Json.tree(costs));
    json.set("measured", Json.tree(comparison.measured().measured()));
    json.set("inForce", inForce == null ? null : Json.tree(inForce));
    json.put("paidUsd", paidUsd).put("unpaidDocuments", comparison.unpaid());
    json.put("stopped", stopped).put("next", next);
    json.set("differences", Json.tree(comparison.differences()));
    return json;
  }

  List<String> lines() {
    int documents = comparison.counts().values().stream().mapToInt(Integer::intValue).sum();
    List<String> lines = new ArrayList<>();
    lines.add(
        "%s: %s on %,d documents, against the results in force (epoch %d)"
            .formatted(candidate.program().name(), name, documents, epoch));
    comparison
        .documents()
        .forEach((change, number) -> lines.add("  %,6d %s".formatted(number, change.text())));
    if (!comparison.fields().isEmpty()) {
      Table table = new Table("field", "differs in", "share");
      comparison
          .fields()
          .forEach((field, number) ->
              table.row(
                  field,
                  number,
                  String.format(Locale.ROOT, "%.1f %%", 100.0 * number / comparison.compared())));
      lines.addAll(table.lines());
    }
    differences(lines);
    lines.addAll(figures());
    noise(lines);
    lines.add(
        "paid: %s; %,d documents without a paid call"
            .formatted(Amounts.usd(paidUsd), comparison.unpaid()));
    if (stopped != null) {
      lines.add("stopped: " + stopped);
    }
    lines.add("to put it in force: " + next);
    return lines;
  }

  private void differences(List<String> lines) {
    List<Difference> all = comparison.differences();
    for (Difference one : all.subList(0, Math.min(SHOWN, all.size()))) {
      lines.add(
          one.change() == Change.DIFFERENT
              ? "  %s %s: %s -> %s"
                  .formatted(one.key(), one.field(), value(one.before()), value(one.after()))
              : "  %s %s%s"
                  .formatted(
                      one.key(),
                      one.change().text(),
                      one.reason() == null ? "" : " (" + one.reason() + ")"));
    }
    if (all.size() > SHOWN) {
      lines.add("  and %,d more; -o json has all".formatted(all.size() - SHOWN));
    }
  }

  private static String value(@Nullable JsonNode value) {
    String text = String.valueOf(value);
    return text.length() <= LONGEST_VALUE ? text : text.substring(0, LONGEST_VALUE) + "…";
  }

  private List<String> figures() {
    PromiseReport.Measured now = comparison.measured().measured();
    PromiseReport.Measured live = inForce == null ? UNKNOWN : inForce.measured();
    Table table = new Table("per document", "in force", "candidate");
    table.row("cost", range(live.cost(), "$%.6f"), range(now.cost(), "$%.6f"));
    Costs costs = comparison.costs();
    if (costs != null) {
      table.row(
          "cost on the same %,d".formatted(costs.documents()),
          String.format(Locale.ROOT, "$%.6f", costs.inForce()),
          String.format(Locale.ROOT, "$%.6f", costs.candidate()));
    }
    table.row("latency", range(live.latency(), "%.2f s"), range(now.latency(), "%.2f s"));
    if (now.quality() != null) {
      table.row("quality", range(live.quality(), "%.3f"), range(now.quality(), "%.3f"));
    }
    for (PromiseReport.JudgedOperator operator : now.operators()) {
      table.row(
          "quality of " + operator.operator(),
          range(ofOperator(live, operator.operator()), "%.3f"),
          range(operator.quality(), "%.3f") + " on %,d".formatted(operator.judged()));
    }
    return table.lines();
  }

  private static @Nullable Range ofOperator(PromiseReport.Measured live, String operator) {
    return live.operators().stream()
        .filter(one -> one.operator().equals(operator))
        .map(PromiseReport.JudgedOperator::quality)
        .findFirst()
        .orElse(null);
  }

  private static String range(@Nullable Range range, String format) {
    return range == null ? "not measured" : PromiseLines.text(format, range);
  }

  private void noise(List<String> lines) {
    SamePlan same = comparison.samePlan();
    if (same.documents() > 0) {
      lines.add(
          same.different() == 0
              ? "%,d of these results are of this very plan, and none differs"
                  .formatted(same.documents())
              : "%,d of these results are of this very plan, and %,d differ: that is the noise of the models"
                  .formatted(same.documents(), same.different()));
    }
  }
}
