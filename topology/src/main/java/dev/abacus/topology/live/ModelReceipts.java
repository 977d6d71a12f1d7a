package dev.abacus.topology.live;

import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.runtime.CallReceipts;
import org.jspecify.annotations.Nullable;

/** Adapts the receipts of the runtime to the model client. */
public final class ModelReceipts {

  private ModelReceipts() {}

  public static Receipts of(CallReceipts receipts) {
    return new Receipts() {
      @Override
      public byte @Nullable [] find(String requestHash) throws InterruptedException {
        return receipts.find(requestHash);
      }

      @Override
      public void record(String requestHash, byte[] response) {
        receipts.record(requestHash, response);
      }

      @Override
      public void giveUp(String requestHash) {
        receipts.giveUp(requestHash);
      }
    };
  }
}
