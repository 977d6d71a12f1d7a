package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.catalogue.Usage;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Queue;

/**
 * What an execution took, or one of its calls: cost, latency, calls and tokens.
 *
 * @param cost USD, failed attempts included
 * @param paid USD spent; less than the cost if a sample used a subset of a reference, because its
 *     cost is then the estimate for all items
 * @param latency seconds, failed attempts and the pauses between them included
 * @param calls of endpoints, failed ones included; for an execution, those of chat models alone
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

  /** Work without a call. */
  public static ExecutionStats ofSeconds(double latency) {
    return new ExecutionStats(0, latency, 0);
  }

  /** A pause between attempts. */
  static ExecutionStats ofPause(Duration pause) {
    return ofSeconds(pause.toNanos() / 1e9);
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

  /** The part of a call that serves several requests: of its cost and tokens, not of its time. */
  public ExecutionStats share(long part, long whole) {
    return new ExecutionStats(cost * part / whole, latency, calls, tokens.share(part, whole));
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
