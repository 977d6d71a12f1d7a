package dev.abacus.topology.operator;

import dev.abacus.topology.model.Attempt;

/**
 * What running something took.
 *
 * @param cost USD, failed attempts included
 * @param latency seconds, failed attempts and the pauses between them included
 * @param calls of chat models, failed ones included
 */
public record Expense(double cost, double latency, int calls) {

  /** Nothing. */
  public static final Expense NONE = new Expense(0, 0, 0);

  static Expense ofChat(Attempt<?> attempt) {
    return new Expense(attempt.cost(), attempt.latency(), attempt.attempts());
  }

  static Expense ofEmbedding(Attempt<?> attempt) {
    return new Expense(attempt.cost(), attempt.latency(), 0);
  }

  /** Both, one after the other. */
  public Expense plus(Expense other) {
    return new Expense(cost + other.cost, latency + other.latency, calls + other.calls);
  }
}
