package dev.abacus.topology.model;

import java.util.function.Consumer;

/**
 * Answers a request from its receipt if one exists, and records a receipt for every success
 * immediately. An answer from a receipt has the cost and latency of the original call, so that a
 * document reports the same cost with and without a crash. Each document has its own.
 *
 * @param known hears of each answer that a receipt gave, so that no call is made
 */
public record ReceiptedCalls(Receipts receipts, Consumer<ModelAnswer.Success> known)
    implements CallDecorator {

  @Override
  public ModelAnswer call(ModelClient next, ModelRequest request) throws InterruptedException {
    String hash = RequestHash.of(request);
    byte[] receipt = receipts.find(hash);
    ModelAnswer.Success answer = receipt == null ? null : AnswerSerializer.read(receipt);
    if (answer != null) {
      known.accept(answer);
      return answer;
    }
    return RequestEnd.after(() -> answer(next, hash, request));
  }

  private ModelAnswer answer(ModelClient next, String hash, ModelRequest request)
      throws InterruptedException {
    boolean recorded = false;
    try {
      ModelAnswer answer = next.call(request);
      if (answer instanceof ModelAnswer.Success success) {
        receipts.record(hash, AnswerSerializer.write(success));
        recorded = true;
      }
      return answer;
    } finally {
      if (!recorded) {
        receipts.giveUp(hash);
      }
    }
  }
}
