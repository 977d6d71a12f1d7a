package dev.abacus.deploy.simulator.answering;

import java.util.List;

/**
 * What a model writes.
 *
 * @param text the message
 * @param confidences how sure it was of which part; what is in none of them is sure
 * @param thinking difficulty of the task (0..1), for the number of thinking tokens
 */
public record Answer(String text, List<Confidence> confidences, double thinking) {

  /** Copies. */
  public Answer {
    confidences = List.copyOf(confidences);
  }

  /**
   * How sure a model was of a part of its text.
   *
   * @param from first character
   * @param to behind the last character
   * @param probability 0..1
   */
  public record Confidence(int from, int to, double probability) {}
}
