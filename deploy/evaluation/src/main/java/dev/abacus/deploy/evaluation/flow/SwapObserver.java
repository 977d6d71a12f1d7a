package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.SwapReport.Delay;
import dev.abacus.deploy.evaluation.load.CommittedResult;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.LongUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Records when results arrive, under which plan, and whether one plan alone produced each result.
 */
final class SwapObserver implements Consumer<CommittedResult> {

  private final Map<Long, Long> firstResults = new HashMap<>();
  private long mixed;

  @Override
  public void accept(CommittedResult result) {
    long epoch = result.epoch();
    firstResults.putIfAbsent(epoch, result.nanos());
    String value = result.value();
    // Each step answers with the epoch of the plan that made the call.
    if (!value.contains("\"topic\":\"" + epoch + "\"")
        || !value.contains("\"topic1\":\"" + epoch + "\"")) {
      mixed++;
    }
  }

  /** Returns the number of documents that several plans processed. */
  long mixed() {
    return mixed;
  }

  /** Returns the {@link System#nanoTime} of the first result of a plan; null if there is none. */
  @Nullable Long firstResult(long epoch) {
    return firstResults.get(epoch);
  }

  /**
   * Returns the delays from {@code start} to each of {@code ends}, for the epochs after {@code
   * after} up to and including {@code to} that have this end.
   */
  Delay delay(
      long after, long to, LongUnaryOperator start, List<LongFunction<@Nullable Long>> ends) {
    List<Long> nanos = new ArrayList<>();
    for (LongFunction<@Nullable Long> end : ends) {
      for (long epoch = after + 1; epoch <= to; epoch++) {
        Long ended = end.apply(epoch);
        if (ended != null) {
          nanos.add(ended - start.applyAsLong(epoch));
        }
      }
    }
    return Delay.ofNanos(nanos);
  }
}
