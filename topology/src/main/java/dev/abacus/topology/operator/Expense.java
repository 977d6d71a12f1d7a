package dev.abacus.topology.operator;

import dev.abacus.topology.model.CallOutcome;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * What running something took.
 *
 * @param cost USD, failed attempts included
 * @param paid USD really paid; less than the cost where a sample looked at some items of a
 *     reference and its cost is the estimate for all
 * @param latency seconds, failed attempts and the pauses between them included
 * @param calls of chat models, failed ones included
 */
public record Expense(double cost, double paid, double latency, int calls) {

  /** Nothing. */
  public static final Expense NONE = new Expense(0, 0, 0);

  /** An expense that was paid in full. */
  public Expense(double cost, double latency, int calls) {
    this(cost, cost, latency, calls);
  }

  static Expense ofChat(CallOutcome<?> attempt) {
    return new Expense(attempt.cost(), attempt.latency(), attempt.attempts());
  }

  static Expense ofEmbedding(CallOutcome<?> attempt) {
    return new Expense(attempt.cost(), attempt.latency(), 0);
  }

  /**
   * All of them, at most so many at the same time, begun in their order: costs and calls add up,
   * and the latency is that of the one that ends last.
   */
  static Expense sideBySide(List<Expense> expenses, int most) {
    Queue<Double> ends = new PriorityQueue<>();
    double cost = 0;
    double paid = 0;
    double last = 0;
    int calls = 0;
    for (Expense expense : expenses) {
      Double free = ends.size() < most ? Double.valueOf(0) : ends.remove();
      double end = free + expense.latency;
      ends.add(end);
      last = Math.max(last, end);
      cost += expense.cost;
      paid += expense.paid;
      calls += expense.calls;
    }
    return new Expense(cost, paid, last, calls);
  }

  /** Both, one after the other. */
  public Expense plus(Expense other) {
    return new Expense(
        cost + other.cost, paid + other.paid, latency + other.latency, calls + other.calls);
  }
}
