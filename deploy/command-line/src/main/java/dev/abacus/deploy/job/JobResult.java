package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * What came of one document.
 *
 * @param key of the result's record
 * @param output the fields of the result
 * @param epoch of the plan that processed it; null if the record does not say
 * @param costUsd USD spent on it
 * @param latencyMs milliseconds from admission to result; null if the record does not say
 * @param qualityEstimate of the plan; null if the record does not say
 */
public record JobResult(
    String key,
    ObjectNode output,
    @Nullable Long epoch,
    double costUsd,
    @Nullable Long latencyMs,
    @Nullable Double qualityEstimate) {

  /** The output fields and, under {@code abacus}, what the headers say. */
  public ObjectNode withHeaders() {
    ObjectNode line = output.deepCopy();
    ObjectNode headers = line.putObject("abacus");
    headers.put("key", key).put("epoch", epoch).put("costUsd", costUsd);
    headers.put("latencyMs", latencyMs).put("qualityEstimate", qualityEstimate);
    return line;
  }
}
