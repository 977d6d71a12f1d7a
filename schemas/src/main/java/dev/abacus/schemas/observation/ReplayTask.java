package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.kafka.RecordPosition;
import dev.abacus.schemas.plan.PlanStep;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A request to run a plan on one document that a program has processed. It travels among the sample
 * tasks of the program, under the header {@link dev.abacus.schemas.kafka.Headers#REPLAY}, and names
 * the record of the document instead of containing it: samples are kept for ever.
 *
 * @param steps of the plan, in the order of execution
 * @param topic of the source
 * @param labels right outputs by operator, to score outputs by; may be partial or empty
 * @param judged whether the judge scores the outputs of operators without a label
 */
@JsonInclude(JsonInclude.Include.NON_EMPTY)
public record ReplayTask(
    List<PlanStep> steps,
    String topic,
    int partition,
    long offset,
    Map<String, JsonNode> labels,
    boolean judged) {

  public ReplayTask {
    steps = List.copyOf(steps);
    labels = labels == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    if (partition < 0 || offset < 0) {
      throw new IllegalArgumentException(
          new RecordPosition(topic, partition, offset) + " is no position of a record");
    }
  }

  /** The record of the document, as in {@link dev.abacus.schemas.kafka.Headers#SOURCE}. */
  public String position() {
    return new RecordPosition(topic, partition, offset).toString();
  }
}
