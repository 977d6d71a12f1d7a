package dev.abacus.schemas.observation;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.LogicalOperator;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request for the label of a document: a record of the topic {@code <program>.review}, whose key
 * is the position of the document. Once it expires, a record without the document replaces it.
 *
 * @param operator whose output is asked for, with its instruction and fields
 * @param document what the operator reads, with the tokens of redacted values; null once expired
 * @param answers of implementations, the different ones once each; empty once expired
 * @param why it is asked, in one clause
 * @param random whether it was drawn at random, so that its label counts like any other
 * @param asked time of the request
 * @param expires time from which the label is not waited for
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ReviewRequest(
    LogicalOperator operator,
    @Nullable Document document,
    List<Answer> answers,
    String why,
    boolean random,
    Instant asked,
    Instant expires) {

  /**
   * An answer.
   *
   * @param output true or false of a filter, the written fields of a map
   * @param implementations ids of those that gave it
   */
  public record Answer(JsonNode output, List<String> implementations) {
    public Answer {
      implementations = List.copyOf(implementations);
    }
  }

  public ReviewRequest {
    answers = List.copyOf(answers);
  }

  /** Whether an answer is waited for. */
  @JsonIgnore
  public boolean isOpen() {
    return document != null;
  }

  /** The request without the content of the document. */
  public ReviewRequest expired() {
    return new ReviewRequest(operator, null, List.of(), why, random, asked, expires);
  }
}
