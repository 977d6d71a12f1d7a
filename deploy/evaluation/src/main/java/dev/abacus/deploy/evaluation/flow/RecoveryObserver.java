package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.load.CommittedResult;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Records the results that arrive after the kill. */
final class RecoveryObserver implements Consumer<CommittedResult> {

  /** Arrival time of the first result, by source partition. */
  private final Map<Integer, Long> firstByPartition = new HashMap<>();

  private boolean killed;
  private long sentBefore;
  private long first;

  /**
   * Starts recording; all results committed before the kill have been read.
   *
   * @param sent number of documents sent so far
   */
  void killed(long sent) {
    killed = true;
    sentBefore = sent;
  }

  @Override
  public void accept(CommittedResult result) {
    if (killed && first == 0) {
      first = result.nanos();
    }
    if (killed && result.number() >= sentBefore) {
      firstByPartition.putIfAbsent(result.sourcePartition(), result.nanos());
    }
  }

  /** Returns the {@link System#nanoTime} of the first result after the kill; 0 if there is none. */
  long first() {
    return first;
  }

  /** Returns the number of source partitions with a result of a document sent after the kill. */
  int partitions() {
    return firstByPartition.size();
  }

  /**
   * Returns the {@link System#nanoTime} at which the last partition had its first result; 0 if none
   * had.
   */
  long allPartitions() {
    return firstByPartition.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
