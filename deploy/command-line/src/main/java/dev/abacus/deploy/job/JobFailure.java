package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/**
 * A dead letter of a job.
 *
 * @param key the record key
 * @param source position of the source record as {@code topic-partition@offset}; that of an
 *     internal topic if the dead letter comes from several documents
 * @param operator id of the operator that failed; empty if the header is missing
 * @param cause name of the failure, such as {@code ContentFiltered}
 * @param reason the message of the data plane
 * @param costUsd USD spent on the document
 * @param document the fields of the source document; null if the record is no valid document
 * @param content the bytes of the record
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record JobFailure(
    String key,
    String source,
    String operator,
    String cause,
    String reason,
    double costUsd,
    @Nullable ObjectNode document,
    byte @Nullable [] content) {

  /** One line of a file of dead letters. */
  public ObjectNode toJson() {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("key", key).put("source", source).put("operator", operator);
    line.put("cause", cause).put("reason", reason).put("costUsd", costUsd);
    if (document != null) {
      line.set("document", document);
    } else if (content != null) {
      line.put("base64", content);
    }
    return line;
  }
}
