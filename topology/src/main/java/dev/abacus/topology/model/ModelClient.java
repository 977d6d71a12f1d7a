package dev.abacus.topology.model;

import java.util.function.UnaryOperator;

/**
 * Calls chat models. Implementations are thread-safe. A call blocks its thread, which is a virtual
 * thread in production.
 */
@FunctionalInterface
public interface ModelClient {

  /**
   * Sends a request to its model.
   *
   * @return an answer or a failure; errors of the model, the network or the request are values and
   *     never exceptions
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  ModelAnswer call(ModelRequest request) throws InterruptedException;

  /**
   * States that the answer to a request was of no use, because it does not have the requested form.
   * An answer store then forgets it. Decorators that hand requests through unchanged should
   * override this method and hand it through too.
   */
  default void discard(ModelRequest request) {}

  /**
   * Replaces the part of this client that all documents share, and keeps the decorators that belong
   * to one document (such as its receipts) in front. Techniques use this to answer the requests of
   * several documents with one call. A decorator that belongs to one document is a {@link
   * CallDecorator}.
   *
   * @param detour maps the shared client to its replacement
   */
  default ModelClient detour(UnaryOperator<ModelClient> detour) {
    return detour.apply(this);
  }
}
