package dev.abacus.topology.runtime;

import java.time.Instant;

/** See {@link ReceiptLog#none}. */
enum NoReceipts implements ReceiptLog {
  INSTANCE;

  @Override
  public void write(int partition, String requestHash, byte[] response) {}

  @Override
  public Recall recall(int partition, Instant since) {
    return Recall.NOTHING;
  }
}
