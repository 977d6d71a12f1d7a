package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.document.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a plan made of a document; the answer to a {@link ReplayTask}.
 *
 * @param replay id of the replay
 * @param position of the document, as in {@link ReplayTask#position}
 * @param operator id of the operator that dropped the document or failed; null for a result
 * @param reason of a failure; null otherwise
 * @param outputs of a result, in their order
 * @param cost USD of the plan's calls, those included whose answers were known from receipts
 * @param paid USD spent on the replay of the document, judge included
 * @param latency seconds, as the plan's calls took when they were made
 * @param scores of operators that a label or the judge scored
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReplayOutcome(
    String replay,
    String position,
    Kind kind,
    @Nullable String operator,
    @Nullable String reason,
    List<Document> outputs,
    double cost,
    double paid,
    double latency,
    List<Score> scores) {

  /** What became of the document. */
  public enum Kind {
    RESULT,
    /** A filter or a join dropped it. */
    DROPPED,
    /** It would be a dead letter. */
    FAILED,
    /** The plan could not be run on it, because a model or Kafka was away. */
    UNAVAILABLE,
    /** Its record is no longer on the topic. */
    MISSING
  }

  /**
   * A score of an output.
   *
   * @param quality in [0, 1]
   * @param kept the decision of a filter; null for another operator
   */
  @JsonInclude(JsonInclude.Include.NON_NULL)
  public record Score(String operator, double quality, @Nullable Boolean kept) {}

  public ReplayOutcome {
    outputs = List.copyOf(outputs);
    scores = List.copyOf(scores);
  }

  /** An outcome without a run of the plan, for this reason. */
  public static ReplayOutcome without(String replay, String position, Kind kind, String reason) {
    return new ReplayOutcome(replay, position, kind, null, reason, List.of(), 0, 0, 0, List.of());
  }

  /** Whether the plan ran on the document. */
  @JsonIgnore
  public boolean isRun() {
    return kind == Kind.RESULT || kind == Kind.DROPPED || kind == Kind.FAILED;
  }
}
