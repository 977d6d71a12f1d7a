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
public record ExecutionStats(double cost, double paid, double latency, int calls) {

  /** Nothing. */
  public static final ExecutionStats NONE = new ExecutionStats(0, 0, 0);

  /** An stats that was paid in full. */
  public ExecutionStats(double cost, double latency, int calls) {
    this(cost, cost, latency, calls);
  }

  public static ExecutionStats ofChat(CallOutcome<?> attempt) {
    return new ExecutionStats(attempt.cost(), attempt.latency(), attempt.attempts());
  }

  public static ExecutionStats ofEmbedding(CallOutcome<?> attempt) {
    return new ExecutionStats(attempt.cost(), attempt.latency(), 0);
  }

  /**
   * All of them, at most so many at the same time, begun in their order: costs and calls add up,
   * and the latency is that of the one that ends last.
   */
  public static ExecutionStats inParallel(List<ExecutionStats> all, int most) {
    Queue<Double> ends = new PriorityQueue<>();
    double cost = 0;
    double paid = 0;
    double last = 0;
    int calls = 0;
    for (ExecutionStats stats : all) {
      Double free = ends.size() < most ? Double.valueOf(0) : ends.remove();
      double end = free + stats.latency;
      ends.add(end);
      last = Math.max(last, end);
      cost += stats.cost;
      paid += stats.paid;
      calls += stats.calls;
    }
    return new ExecutionStats(cost, paid, last, calls);
  }

  /** Both, one after the other. */
  public ExecutionStats plus(ExecutionStats other) {
    return new ExecutionStats(
        cost + other.cost, paid + other.paid, latency + other.latency, calls + other.calls);
  }
}
