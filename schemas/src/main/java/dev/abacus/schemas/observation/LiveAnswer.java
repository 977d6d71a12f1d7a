package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.document.Sha256;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.LearnedOrder;
import dev.abacus.schemas.plan.PlanStep;
import org.jspecify.annotations.Nullable;

/**
 * The answer of an implementation to a live document, from which classifiers learn. Written in the
 * transaction of the document.
 *
 * @param operator id of the operator
 * @param question identifies what was asked ({@link #question(PlanStep)})
 * @param source the document: {@code topic-partition@offset} of its source record
 * @param embedder name of the embedding model
 * @param embedding the embedding of what the operator reads: 32-bit floats in Base64, as in {@link
 *     Evidence.Embedded}
 * @param answer of the implementation, as JSON text
 * @param predicted what the classifier of the plan would have answered, as JSON text, if the
 *     document is audited; null if it was not confident
 * @param probability of being asked, in (0, 1]: 1 if no classifier was confident, else the audited
 *     share
 * @param cost of the call in USD; null in records of an earlier version
 * @param reached null unless all filters of a {@link LearnedOrder} were asked about the document:
 *     whether it reached this one, or was asked although another one had dropped it
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record LiveAnswer(
    String operator,
    String question,
    String source,
    String embedder,
    String embedding,
    String answer,
    @Nullable String predicted,
    double probability,
    @Nullable Double cost,
    @Nullable Boolean reached) {

  /** The answer of a filter that passes a document. */
  public static final String PASSED = "true";

  private static final int QUESTION_BYTES = 12;

  /** Whether it is the answer of a filter that passes the document. */
  public boolean passes() {
    return answer.equals(PASSED);
  }

  /** Whether another filter had dropped the document, so that it was asked only for the order. */
  public boolean wasDropped() {
    return Boolean.FALSE.equals(reached);
  }

  /** Whether the implementation was asked only to check a classifier. */
  public boolean isAudit() {
    return predicted != null;
  }

  /**
   * Identifies an operator and its implementation with everything that a prompt depends on: another
   * instruction, field, model or parameter is another question, and answers to one say nothing
   * about the other.
   */
  public static String question(PlanStep step) {
    return Sha256.hex(QUESTION_BYTES, Json.write(step.logical()), Json.write(step.physical()));
  }

  /**
   * The vector of the embedding.
   *
   * @throws IllegalArgumentException if the text is not Base64
   */
  public float[] vector() {
    return Evidence.decode(embedding);
  }
}
