package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.SwapReport.Delay;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/** What results showed: when they came, under which plan, and whether under one alone. */
final class SwapObserver implements Consumer<CommittedResult> {

  private final Map<Long, Long> firstResults = new HashMap<>();
  private ArrivalTimes arrivals = new ArrivalTimes();
  private long mixed;

  /** Counts results from here on. */
  ArrivalTimes restart() {
    arrivals = new ArrivalTimes();
    return arrivals;
  }

  @Override
  public void accept(CommittedResult result) {
    arrivals.add(result.nanos());
    long epoch = result.epoch();
    firstResults.putIfAbsent(epoch, result.nanos());
    String value = result.value();
    // Each step answers with the plan that it was called under.
    if (!value.contains("\"topic\":\"" + epoch + "\"")
        || !value.contains("\"tone\":\"" + epoch + "\"")) {
      mixed++;
    }
  }

  /** Documents that were not done by the plan of their epoch alone. */
  long mixed() {
    return mixed;
  }

  /** {@link System#nanoTime} when the first result of a plan was seen; null if there was none. */
  @Nullable Long firstResult(long epoch) {
    return firstResults.get(epoch);
  }

  /** From one moment to another, of the epochs after one up to another that had both. */
  Delay delay(long after, long to, LongUnaryOperator start, LongFunction<@Nullable Long> end) {
    List<Long> nanos = new ArrayList<>();
    for (long epoch = after + 1; epoch <= to; epoch++) {
      Long ended = end.apply(epoch);
      if (ended != null) {
        nanos.add(ended - start.applyAsLong(epoch));
      }
    }
    return Delay.ofNanos(nanos);
  }
}
