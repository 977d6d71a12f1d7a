package dev.abacus.topology.model;

import java.util.function.UnaryOperator;

/**
 * Answers a request from its receipt if there is one, and writes a receipt for every success as
 * soon as it is there. An answer from a receipt carries what it cost and took when it was given, so
 * that a document that survives a crash reports the same cost as one that had none.
 */
public final class ReceiptingModelClient implements ModelClient {

  private final ModelClient next;
  private final Receipts receipts;

  /** Receipts around that client. */
  public ReceiptingModelClient(ModelClient next, Receipts receipts) {
    this.next = next;
    this.receipts = receipts;
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new ReceiptingModelClient(next.detour(detour), receipts);
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    String hash = RequestHash.of(request);
    byte[] found = receipts.find(hash);
    ModelAnswer stored = found == null ? null : StoredAnswer.read(found);
    if (stored != null) {
      return stored;
    }
    ModelAnswer answer = next.call(request);
    if (answer instanceof ModelAnswer.Success success) {
      receipts.record(hash, StoredAnswer.write(success));
    }
    return answer;
  }
}
