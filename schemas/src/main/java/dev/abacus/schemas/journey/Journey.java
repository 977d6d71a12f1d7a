package dev.abacus.schemas.journey;

import java.time.Instant;
import java.util.List;

/**
 * The way of one document through one segment of a program: what each operator asked, was answered,
 * cost and took. A program with stateful operators has several segments, and a journey for each.
 *
 * <p>Texts are redacted and shortened; they are empty if the worker records none.
 *
 * @param source the source record as {@code topic-partition@offset}; empty for a group
 * @param key of the document; empty if it has none
 * @param epoch epoch of the plan
 * @param instance name of the worker
 * @param at time at which the document left the segment
 * @param resumed whether another task began the work, so that steps may be missing
 * @param input fields of the document as JSON
 * @param steps in the order in which they ended
 */
public record Journey(
    String program,
    String source,
    String key,
    long epoch,
    String instance,
    Instant at,
    boolean resumed,
    String input,
    List<Step> steps,
    End end) {

  public Journey {
    source = source == null ? "" : source;
    key = key == null ? "" : key;
    input = input == null ? "" : input;
    steps = steps == null ? List.of() : List.copyOf(steps);
  }

  /**
   * How the document left the segment.
   *
   * @param operator id of the operator that dropped the document or failed; empty for a result
   * @param reason why it failed; empty otherwise
   * @param costUsd USD spent in the segment
   * @param seconds time that the operators took
   */
  public record End(
      Outcome outcome, String operator, String reason, double costUsd, double seconds) {}

  /** What became of a document. */
  public enum Outcome {
    /** A result, or an input of the next segment. */
    KEPT,
    /** A filter dropped it. */
    DROPPED,
    /** A dead letter. */
    FAILED
  }

  /**
   * One operator on the document, or on one of the documents made of it.
   *
   * @param operator id in the program
   * @param implementation id of the implementation
   * @param outputs number of outputs
   * @param output fields that the operator wrote, as JSON, of the first outputs
   * @param reason why it failed; empty otherwise
   * @param calls of chat models in the order of their ends; the first ones if there are many
   * @param furtherCalls number of calls that are not listed
   */
  public record Step(
      String operator,
      String implementation,
      Outcome outcome,
      int outputs,
      String output,
      String reason,
      double costUsd,
      double seconds,
      List<Call> calls,
      int furtherCalls) {

    public Step {
      calls = calls == null ? List.of() : List.copyOf(calls);
    }
  }

  /**
   * One call of a chat model, with its attempts.
   *
   * @param instructions the system message
   * @param message the user message; images are named only
   * @param answer empty if the call failed
   * @param failure why it failed; empty if it did not
   * @param attempts calls of the endpoint
   */
  public record Call(
      String model,
      String instructions,
      String message,
      String answer,
      String failure,
      double costUsd,
      double seconds,
      int attempts) {}
}
