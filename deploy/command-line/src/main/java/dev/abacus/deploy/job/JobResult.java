package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * One result.
 *
 * @param key the record key
 * @param output the fields of the result
 * @param epoch epoch of the plan that processed the document; null if the header is missing
 * @param costUsd USD spent on the document
 * @param latencyMs milliseconds from admission to result; null if the header is missing
 * @param qualityEstimate the plan's estimate, in [0, 1]; null if the header is missing
 */
public record JobResult(
    String key,
    ObjectNode output,
    @Nullable Long epoch,
    double costUsd,
    @Nullable Long latencyMs,
    @Nullable Double qualityEstimate) {

  /** The output fields and, under {@code abacus}, the values of the headers. */
  public ObjectNode withHeaders() {
    ObjectNode line = output.deepCopy();
    ObjectNode headers = line.putObject("abacus");
    headers.put("key", key).put("epoch", epoch).put("costUsd", costUsd);
    headers.put("latencyMs", latencyMs).put("qualityEstimate", qualityEstimate);
    return line;
  }
}
