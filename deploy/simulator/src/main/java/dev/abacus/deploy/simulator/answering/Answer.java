package dev.abacus.deploy.simulator.answering;

import java.util.List;

/**
 * The message of a model.
 *
 * @param confidences confidence by part of the text; other parts are nearly certain
 * @param thinking difficulty of the task in [0, 1], which determines the thinking tokens
 */
public record Answer(String text, List<Confidence> confidences, double thinking) {

  public Answer {
    confidences = List.copyOf(confidences);
  }

  /**
   * The confidence of a model in a part of its text.
   *
   * @param from index of the first character
   * @param to index after the last character
   * @param probability in [0, 1]
   */
  public record Confidence(int from, int to, double probability) {}
}
