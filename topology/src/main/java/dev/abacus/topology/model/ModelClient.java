package dev.abacus.topology.model;

import java.util.function.UnaryOperator;

/**
 * Calls chat models. Safe for use by many threads at once; a call blocks the (virtual) thread that
 * makes it.
 */
@FunctionalInterface
public interface ModelClient {

  /**
   * Asks a model.
   *
   * @return an answer or a failure; what goes wrong with the model, the network or the request is
   *     never thrown
   * @throws InterruptedException if the thread is interrupted; the call is then abandoned
   */
  ModelAnswer call(ModelRequest request) throws InterruptedException;

  /**
   * This client with another way to the endpoint: what belongs to one document (its receipts) stays
   * in front, what all documents share is given to the detour, and replaced by what it makes of it.
   * For techniques that answer the requests of several documents with one call. A client that
   * belongs to one document must override this, as {@link ReceiptingModelClient} does; otherwise
   * its document shares calls with no other.
   */
  default ModelClient detour(UnaryOperator<ModelClient> detour) {
    return detour.apply(this);
  }
}
