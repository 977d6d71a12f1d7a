package dev.abacus.topology.operator;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.topology.model.CallOutcome;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * Cost, latency and calls of an execution.
 *
 * @param cost USD, failed attempts included
 * @param paid USD spent; less than the cost if a sample used a subset of a reference, because its
 *     cost is then the estimate for all items
 * @param latency seconds, failed attempts and the pauses between them included
 * @param calls calls of chat models, failed ones included
 * @param tokens of all calls by kind, failed ones included
 */
@RecordBuilder
public record ExecutionStats(
    double cost, double paid, double latency, int calls, TokenCounts tokens)
    implements ExecutionStatsBuilder.With {

  /** No cost, no time, no calls. */
  public static final ExecutionStats NONE = new ExecutionStats(0, 0, 0);

  /** With all of the cost paid, without known tokens. */
  public ExecutionStats(double cost, double latency, int calls) {
    this(cost, latency, calls, TokenCounts.NONE);
  }

  /** With all of the cost paid. */
  public ExecutionStats(double cost, double latency, int calls, TokenCounts tokens) {
    this(cost, cost, latency, calls, tokens);
  }

  /** Cost and tokens. */
  public Usage usage() {
    return new Usage(cost, tokens);
  }

  /** The statistics of a call of a chat model. */
  public static ExecutionStats ofChat(CallOutcome<?> attempt) {
    return new ExecutionStats(
        attempt.cost(), attempt.latency(), attempt.attempts(), attempt.tokens());
  }

  /** The statistics of a call of an embedding model. */
  public static ExecutionStats ofEmbedding(CallOutcome<?> attempt) {
    return new ExecutionStats(attempt.cost(), attempt.latency(), 0, attempt.tokens());
  }

  /**
   * The total of executions that started in this order, with bounded concurrency: the sum of costs
   * and calls, and the time until the last one ends.
   *
   * @param concurrency the maximum number at the same time
   */
  public static ExecutionStats inParallel(List<ExecutionStats> all, int concurrency) {
    Queue<Double> ends = new PriorityQueue<>();
    ExecutionStats sum = NONE;
    double last = 0;
    for (ExecutionStats stats : all) {
      Double free = ends.size() < concurrency ? Double.valueOf(0) : ends.remove();
      double end = free + stats.latency;
      ends.add(end);
      last = Math.max(last, end);
      sum = sum.plus(stats);
    }
    return sum.withLatency(last);
  }

  /**
   * The total of two executions that overlap.
   *
   * @param end seconds from the start of the first one until the other one ends
   */
  public ExecutionStats beside(ExecutionStats other, double end) {
    return plus(other).withLatency(Math.max(latency, end));
  }

  /** The total of two executions, one after the other. */
  public ExecutionStats plus(ExecutionStats other) {
    return new ExecutionStats(
        cost + other.cost,
        paid + other.paid,
        latency + other.latency,
        calls + other.calls,
        tokens.plus(other.tokens));
  }
}
