package dev.abacus.topology.runtime;

import dev.abacus.topology.runtime.ReceiptLog.Recall;
import java.util.concurrent.CancellationException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * CallReceipts of one task's partition. What a closed task's worker was just answered is still
 * recorded: it is paid for, and the next owner may find it.
 */
final class TaskReceipts implements CallReceipts {
  private final ReceiptLog log;
  private final int partition;
  private final Recall recall;
  private final BooleanSupplier closed;
  private final RuntimeListener listener;

  TaskReceipts(
      ReceiptLog log,
      int partition,
      Recall recall,
      BooleanSupplier closed,
      RuntimeListener listener) {
    this.log = log;
    this.partition = partition;
    this.recall = recall;
    this.closed = closed;
    this.listener = listener;
  }

  @Override
  public byte @Nullable [] find(String requestHash) {
    if (closed.getAsBoolean()) {
      throw new CancellationException("the task was closed");
    }
    byte[] found = recall.find(requestHash);
    if (found != null) {
      listener.receiptFound();
    }
    return found;
  }

  @Override
  public void record(String requestHash, byte[] response) {
    log.write(partition, requestHash, response);
  }
}
