package dev.abacus.topology.runtime;

/** What running work may use. */
public interface WorkContext {

  /**
   * Keeps a state to go on from. It is handed to the stream thread and committed with the next
   * transaction, so after a crash the newest states may be missing. A state larger than the limit
   * of {@link RuntimeSettings#recordLimit} is not kept.
   *
   * @throws java.util.concurrent.CancellationException if the task was closed: the work is not ours
   *     any more
   */
  void checkpoint(byte[] state);

  /** Answers that were paid for, of this job's partition. */
  CallReceipts receipts();
}
