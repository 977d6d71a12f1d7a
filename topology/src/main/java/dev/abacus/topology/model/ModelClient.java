package dev.abacus.topology.model;

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
}
