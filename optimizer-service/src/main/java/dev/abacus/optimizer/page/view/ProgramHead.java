package dev.abacus.optimizer.page.view;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The state of a program in a few words.
 *
 * @param state such as {@code running}
 * @param tone class of the state in the style sheet: {@code good}, {@code warn} or {@code bad}
 * @param plan the activation in force
 * @param searched per cent of the budget that is used; null if the search is over or has none
 * @param problems what needs attention, as sentences
 */
public record ProgramHead(
    String name,
    String objective,
    String state,
    String tone,
    boolean paused,
    String plan,
    String search,
    @Nullable Integer searched,
    List<String> problems) {

  /** Summarizes what the topics say. */
  public static ProgramHead of(ProgramRecords records, Instant now) {
    ControlRecord.Activated active = records.active();
    boolean paused = records.paused() != null;
    List<String> problems = problems(records, now);
    String state =
        paused
            ? "paused"
            : records.instances().isEmpty()
                ? "no worker"
                : active == null
                    ? "no plan yet"
                    : problems.isEmpty() ? "running" : "needs attention";
    return new ProgramHead(
        records.program().name(),
        records.program().objective().toString(),
        state,
        state.equals("running") ? "good" : state.equals("no worker") ? "bad" : "warn",
        paused,
        active == null ? "no plan yet" : plan(active),
        search(records.search()),
        searched(records.search()),
        problems);
  }

  private static String plan(ControlRecord.Activated active) {
    String share =
        active.share() < 1
            ? " as a canary for %.0f %% of new documents".formatted(100 * active.share())
            : "";
    return "epoch %d%s, by %s: %s".formatted(active.epoch(), share, active.by(), active.reason());
  }

  private static String search(@Nullable JsonNode search) {
    if (search == null) {
      return "no optimizer has reported";
    }
    String phase = search.path("phase").asText().toLowerCase(Locale.ROOT).replace('_', ' ');
    String text =
        "%s, %s samples, %s"
            .formatted(
                phase,
                Figures.count(search.path("samplesObserved").asLong()),
                Figures.usd(search.path("spentUsd").asDouble()));
    if (search.hasNonNull("budgetUsd")) {
      return text + " of " + Figures.usd(search.path("budgetUsd").asDouble());
    }
    return search.hasNonNull("budgetSamples")
        ? text
            + "; budget "
            + Figures.count(search.path("samplesIssued").asLong())
            + " of "
            + Figures.count(search.path("budgetSamples").asLong())
            + " samples in this round"
        : text;
  }

  private static @Nullable Integer searched(@Nullable JsonNode search) {
    if (search == null || !search.path("phase").asText().equals("SAMPLING")) {
      return null;
    }
    double budget = search.path("budgetSamples").asDouble(search.path("budgetUsd").asDouble());
    double used =
        search.path(search.hasNonNull("budgetSamples") ? "samplesIssued" : "spentUsd").asDouble();
    return budget <= 0 ? null : (Integer) (int) Math.min(100, Math.round(100 * used / budget));
  }

  private static List<String> problems(ProgramRecords records, Instant now) {
    List<String> problems = new ArrayList<>();
    ControlRecord.Paused paused = records.paused();
    if (paused != null && !paused.reason().isEmpty()) {
      problems.add("Paused by %s: %s".formatted(paused.by(), paused.reason()));
    }
    records
        .refused()
        .forEach(rejection ->
            problems.add("Refused: %s: %s".formatted(rejection.key(), rejection.reason())));
    for (InstanceStatus instance : records.instances()) {
      for (ModelWait wait : instance.waits()) {
        problems.add(
            "%s calls of %s wait since %s on %s: %s"
                .formatted(
                    Figures.count(wait.waitingCalls()),
                    wait.model(),
                    Figures.ago(wait.since(), now).replace(" ago", ""),
                    instance.instance(),
                    wait.message()));
      }
      instance.threads().stream()
          .filter(thread -> !thread.works())
          .forEach(thread -> problems.add(instance.instance() + ": " + thread.describe()));
    }
    JsonNode search = records.search();
    if (search != null) {
      search.path("models").forEach(model -> problems.add(model.path("message").asText()));
      search.path("warnings").forEach(warning -> problems.add(warning.asText()));
      if (List.of("STUCK", "FAILED", "WAITING_FOR_MODELS", "WAITING_FOR_EXAMPLES")
          .contains(search.path("phase").asText())) {
        problems.add(search.path("message").asText());
      }
    }
    return problems;
  }
}
