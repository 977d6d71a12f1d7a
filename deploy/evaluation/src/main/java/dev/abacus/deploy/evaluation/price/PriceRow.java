package dev.abacus.deploy.evaluation.price;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.objective.Dimension;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A program without and with a lever, over equal documents. Models are simulated.
 *
 * @param costRatio measured cost with the lever ÷ without
 * @param latencyRatio measured latency with the lever ÷ without; null without results
 */
record PriceRow(
    String program,
    String lever,
    Measured without,
    Measured with,
    double costRatio,
    @Nullable Double latencyRatio) {

  static PriceRow of(PricedProgram program, Lever lever, Measured without, Measured with) {
    return new PriceRow(
        program.name().toLowerCase(Locale.ROOT),
        lever.label(),
        without,
        with,
        with.cost / without.cost,
        with.latency == null || without.latency == null
            ? null
            : Double.valueOf(with.latency / without.latency));
  }

  /**
   * One run.
   *
   * @param plan implementations of the semantic operators
   * @param qualityPromised in [0, 1]; of the plan as it is known at the end of the run
   * @param quality by the labels, in the measure of the promise; null without a score of the whole
   *     plan
   * @param costPromised USD per document, as known at the end of the run
   * @param cost USD per document
   * @param latencyPromised seconds
   * @param latency mean seconds from admission to result, at the speed of the simulated models;
   *     includes the wait for other documents of the run; null if no document became a result
   * @param documents number of documents with an outcome
   */
  record Measured(
      String plan,
      double qualityPromised,
      @Nullable Double quality,
      double costPromised,
      double cost,
      double latencyPromised,
      @Nullable Double latency,
      long documents) {

    /**
     * Reads the outcome of {@code abacus run}.
     *
     * @param summary its JSON
     * @param results the lines of its results, with headers
     */
    static Measured of(JsonNode summary, List<? extends JsonNode> results) {
      JsonNode plan = summary.path("plan");
      return new Measured(
          plan(plan.path("plan")),
          promised(plan, Dimension.QUALITY),
          quality(summary.path("scores")),
          promised(plan, Dimension.COST),
          summary.path("costPerDocumentUsd").asDouble(),
          promised(plan, Dimension.LATENCY),
          results.isEmpty() ? null : Double.valueOf(seconds(results)),
          summary.path("documents").asLong());
    }

    private static double seconds(List<? extends JsonNode> results) {
      return results.stream()
          .mapToDouble(result -> result.at("/abacus/latencyMs").asDouble() / 1000)
          .average()
          .orElseThrow();
    }

    private static double promised(JsonNode plan, Dimension dimension) {
      JsonNode promise = plan.path("promise").path(dimension.label()).path("mean");
      return promise.isNumber()
          ? promise.asDouble()
          : plan.path("plan").path(dimension.label()).asDouble();
    }

    private static @Nullable Double quality(JsonNode scores) {
      Double last = null;
      for (JsonNode score : scores) {
        last = score.path("value").asDouble();
      }
      return last;
    }

    /** {@code classify: few-shot gpt-5-nano 4} for each operator with a model. */
    private static String plan(JsonNode choice) {
      List<String> steps = new ArrayList<>();
      for (JsonNode step : choice.path("operators")) {
        List<String> words = new ArrayList<>();
        for (JsonNode value : step.path("physical")) {
          if (value.isTextual() || value.isNumber()) {
            words.add(value.asText());
          }
        }
        if (!words.equals(List.of("relational"))) {
          steps.add(step.path("logical").asText() + ": " + String.join(" ", words));
        }
      }
      return String.join("; ", steps);
    }
  }
}
