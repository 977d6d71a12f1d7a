package dev.abacus.deploy.cli.report;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Formats the optimizer's report on a search as one line. */
public final class SearchProgress {

  private SearchProgress() {}

  /**
   * {@code sampling, 40 of 150 samples back, $0.1200: message}. Samples of earlier rounds count;
   * the budget is that of one round.
   *
   * @param known what the reader has been told: a message that ends with it is left out
   */
  public static String of(JsonNode report, @Nullable String known) {
    StringBuilder line =
        new StringBuilder(
            report.path("phase").asText("unknown").toLowerCase(Locale.ROOT).replace('_', ' '));
    if (report.has("samplesObserved")) {
      samples(report, line);
    }
    String message = message(report);
    return message.isEmpty() || (known != null && message.endsWith(known))
        ? line.toString()
        : line + ": " + message;
  }

  private static void samples(JsonNode report, StringBuilder line) {
    int observed = report.path("samplesObserved").asInt();
    int budget = report.path("budgetSamples").asInt(Integer.MAX_VALUE);
    line.append(", ").append(observed);
    if (observed > budget) {
      line.append(" samples back in all rounds of ").append(budget);
    } else {
      line.append(budget == Integer.MAX_VALUE ? "" : " of " + budget).append(" samples back");
    }
    line.append(", ").append(Amounts.usd(report.path("spentUsd").asDouble()));
    if (report.path("budgetUsd").isNumber()) {
      line.append(" of ").append(Amounts.usd(report.path("budgetUsd").asDouble()));
    }
    if (report.path("budgetTokens").isNumber()) {
      line.append(
          ", %,d of %,d tokens"
              .formatted(
                  report.path("spentTokens").asLong(), report.path("budgetTokens").asLong()));
    }
    JsonNode beside = report.path("beside");
    if (beside.isObject()) {
      line.append(
          ", %,d live documents beside the plan for %s"
              .formatted(
                  beside.path("documents").asLong(),
                  Amounts.usd(beside.path("spentUsd").asDouble())));
    }
  }

  /** What the search says of itself; empty if nothing. */
  static String message(JsonNode report) {
    return report.path("message").asText();
  }

  /**
   * The records of the program's topics that the search cannot use, such as examples.
   *
   * @param report null if the optimizer has not reported
   * @return null if there are none
   */
  public static @Nullable String refused(@Nullable JsonNode report) {
    return report == null || !report.has("lastBadRecord")
        ? null
        : "refused records: %d, the last %s"
            .formatted(report.path("badRecords").asLong(), report.path("lastBadRecord").asText());
  }

  /**
   * The threads of the optimizer that do not work.
   *
   * @param report null if the optimizer has not reported
   */
  public static List<String> troubles(@Nullable JsonNode report) {
    List<String> troubles = new ArrayList<>();
    if (report != null) {
      for (JsonNode node : report.path("threads")) {
        ThreadStatus thread = Json.find(Json.write(node), ThreadStatus.class);
        if (thread != null && !thread.works()) {
          troubles.add("optimizer: " + thread.describe());
        }
      }
    }
    return troubles;
  }

  /**
   * What became of corrected results.
   *
   * @param report null if the optimizer has not reported
   * @param held whether a plan that a user activated is in force
   * @return null if the program names no topic for corrected results
   */
  public static @Nullable String feedback(@Nullable JsonNode report, boolean held) {
    JsonNode feedback = report == null ? null : report.get("feedback");
    if (feedback == null) {
      return null;
    }
    int refused = feedback.path("refused").asInt();
    int missing = feedback.path("nextRound").asInt();
    return "corrected results on %s: %d are examples%s; %s"
        .formatted(
            feedback.path("topic").asText(),
            feedback.path("examples").asInt(),
            refused == 0
                ? ""
                : ", %d refused (the last: %s)"
                    .formatted(refused, feedback.path("lastRefusal").asText()),
            held
                ? "a new round waits, because a user has activated the plan"
                    + " (`abacus reoptimize` starts it)"
                : missing == 0 ? "a new round follows" : "a new round after " + missing + " more");
  }

  /**
   * The requests for labels.
   *
   * @return null if the program asks for none
   */
  public static @Nullable String review(@Nullable JsonNode report) {
    JsonNode review = report == null ? null : report.get("review");
    return review == null
        ? null
        : "labels asked for on %s, at most %d a day: %d open, %d answered, %d expired"
            .formatted(
                review.path("topic").asText(),
                review.path("perDay").asInt(),
                review.path("open").asInt(),
                review.path("answered").asInt(),
                review.path("expired").asInt());
  }

  /**
   * The models that cannot be called, each with what the search does about it.
   *
   * @param report null if the optimizer has not reported
   */
  public static List<String> unavailableModels(@Nullable JsonNode report) {
    List<String> messages = new ArrayList<>();
    if (report != null) {
      report.path("models").forEach(model -> messages.add(model.path("message").asText()));
    }
    return messages;
  }

  /**
   * What the user should know of a search, by an identity that does not change with time: warnings,
   * and models that cannot be called.
   *
   * @param report null if the optimizer has not reported
   */
  public static Map<String, String> notices(@Nullable JsonNode report) {
    Map<String, String> notices = new LinkedHashMap<>();
    if (report != null) {
      report
          .path("warnings")
          .forEach(warning -> notices.put(warning.asText(), "warning: " + warning.asText()));
      report
          .path("models")
          .forEach(model ->
              notices.put(
                  model.path("model").asText() + " " + model.path("state").asText(),
                  "search: " + model.path("message").asText()));
    }
    return notices;
  }

  /** Whether the search cannot find a plan without a change by the user. */
  public static boolean isStuck(JsonNode report) {
    String phase = report.path("phase").asText();
    return phase.equals("STUCK") || phase.equals("FAILED");
  }

  /** Whether the search cannot go on before a model, such as the judge, can be called. */
  public static boolean waitsForModels(JsonNode report) {
    return report.path("phase").asText().equals("WAITING_FOR_MODELS");
  }

  /**
   * Whether the search waits for models that may answer again by themselves: none of them is
   * missing or lacks a key.
   */
  public static boolean waitsForAnOutage(JsonNode report) {
    boolean outage = waitsForModels(report) && !report.path("models").isEmpty();
    for (JsonNode model : report.path("models")) {
      outage &= model.path("state").asText().equals("UNREACHABLE");
    }
    return outage;
  }
}
