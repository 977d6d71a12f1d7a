package dev.abacus.topology.model;

import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** Adds up what every model was asked, gave and cost. */
public final class ModelTotals implements ModelListener {

  /**
   * Sums of one model since the start.
   *
   * @param calls answered or failed
   * @param failures those that failed
   * @param inputTokens of successful calls
   * @param outputTokens of successful calls
   * @param cost USD
   * @param latency seconds, all calls together
   */
  public record Total(
      long calls, long failures, long inputTokens, long outputTokens, double cost, double latency) {

    Total plus(Total other) {
      return new Total(
          calls + other.calls,
          failures + other.failures,
          inputTokens + other.inputTokens,
          outputTokens + other.outputTokens,
          cost + other.cost,
          latency + other.latency);
    }
  }

  private final Map<String, Total> totals = new ConcurrentHashMap<>();

  /** The sums so far, by model or embedder. */
  public Map<String, Total> totals() {
    return new TreeMap<>(totals);
  }

  @Override
  public void answered(ModelRequest request, ModelAnswer answer) {
    Usage usage = answer instanceof ModelAnswer.Success success ? success.usage() : Usage.NONE;
    add(request.model(), answer, usage);
  }

  @Override
  public void embedded(String embedder, int texts, EmbeddingAnswer answer) {
    add(embedder, answer, Usage.NONE);
  }

  private void add(String model, CallOutcome<?> attempt, Usage usage) {
    totals.merge(
        model,
        new Total(
            1,
            attempt.failure() == null ? 0 : 1,
            usage.input(),
            usage.output(),
            attempt.cost(),
            attempt.latency()),
        Total::plus);
  }
}
