package dev.abacus.topology.model;

import java.util.function.UnaryOperator;

/**
 * Answers a request from its receipt if one exists, and records a receipt for every success
 * immediately. An answer from a receipt has the cost and latency of the original call, so that a
 * document reports the same cost with and without a crash. Each document has its own client.
 */
public record ReceiptingModelClient(ModelClient next, Receipts receipts) implements ModelClient {

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new ReceiptingModelClient(next.detour(detour), receipts);
  }

  @Override
  public void discard(ModelRequest request) {
    next.discard(request);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    String hash = RequestHash.of(request);
    byte[] receipt = receipts.find(hash);
    ModelAnswer.Success known = receipt == null ? null : AnswerSerializer.read(receipt);
    if (known != null) {
      receipts.answered(known);
      return known;
    }
    return RequestEnd.after(() -> answer(hash, request));
  }

  private ModelAnswer answer(String hash, ModelRequest request) throws InterruptedException {
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
