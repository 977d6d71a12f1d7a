package dev.abacus.topology.live;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.Receipts;
import dev.abacus.topology.runtime.CallReceipts;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Adapts the receipts of the runtime to the model client. */
public final class ModelReceipts {

  private ModelReceipts() {}

  /**
   * The receipts of a task.
   *
   * @param known hears of each answer that a receipt gave
   */
  public static Receipts of(CallReceipts receipts, Consumer<ModelAnswer.Success> known) {
    return new Receipts() {
      @Override
      public void answered(ModelAnswer.Success answer) {
        known.accept(answer);
      }

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
