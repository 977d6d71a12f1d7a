package dev.abacus.deploy.evaluation.flow;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** Which results came after the kill. */
final class RecoveryObserver implements Consumer<CommittedResult> {

  /** By partition of the source. */
  private final Map<Integer, Long> firstByPartition = new HashMap<>();

  private boolean killed;
  private long sentBefore;
  private long first;

  /** The kill is over, and what was committed before it has been seen. */
  void killed(long sent) {
    killed = true;
    sentBefore = sent;
  }

  @Override
  public void accept(CommittedResult result) {
    if (killed && first == 0) {
      first = result.nanos();
    }
    if (killed && Long.parseLong(result.key().substring("d-".length())) >= sentBefore) {
      firstByPartition.putIfAbsent(result.sourcePartition(), result.nanos());
    }
  }

  /** {@link System#nanoTime} of the first; 0 if there was none. */
  long first() {
    return first;
  }

  /** Of how many partitions documents that were sent after the kill have come out. */
  int partitions() {
    return firstByPartition.size();
  }

  /** {@link System#nanoTime} when the last partition gave one; 0 if none did. */
  long allPartitions() {
    return firstByPartition.values().stream().mapToLong(Long::longValue).max().orElse(0);
  }
}
