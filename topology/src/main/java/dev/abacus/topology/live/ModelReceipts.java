package dev.abacus.topology.live;

import dev.abacus.topology.model.Receipts;
import org.jspecify.annotations.Nullable;

/** The runtime's receipts as the model client knows them. */
public final class ModelReceipts {

  private ModelReceipts() {}

  /** The same receipts. */
  public static Receipts of(dev.abacus.topology.runtime.CallReceipts receipts) {
    return new Receipts() {
      @Override
      public byte @Nullable [] find(String requestHash) {
        return receipts.find(requestHash);
      }

      @Override
      public void record(String requestHash, byte[] response) {
        receipts.record(requestHash, response);
      }
    };
  }
}
