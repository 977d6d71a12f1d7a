package dev.abacus.topology.model;

import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * What the calls of one document have in front of the client that all documents share. It stays in
 * front of a {@linkplain ModelClient#detour detour}.
 */
@FunctionalInterface
public interface CallDecorator {

  /**
   * Makes a call, or answers it without one.
   *
   * @param next the client behind
   * @throws InterruptedException if the thread is interrupted; the call is then cancelled
   */
  ModelAnswer call(ModelClient next, ModelRequest request) throws InterruptedException;

  /**
   * Reports every answer and failure, for what they cost and for their tokens. Of a call for
   * several documents, it reports the share of its document.
   *
   * @param meter gets each call with its outcome; called by several threads
   */
  static CallDecorator reporting(BiConsumer<ModelRequest, ModelAnswer> meter) {
    return (next, request) -> {
      ModelAnswer answer = next.call(request);
      meter.accept(request, answer);
      return answer;
    };
  }

  /** The client with this in front. */
  default ModelClient around(ModelClient next) {
    return new ModelClient() {
      @Override
      public ModelAnswer call(ModelRequest request) throws InterruptedException {
        return CallDecorator.this.call(next, request);
      }

      @Override
      public void discard(ModelRequest request) {
        next.discard(request);
      }

      @Override
      public ModelClient detour(UnaryOperator<ModelClient> detour) {
        return around(next.detour(detour));
      }
    };
  }
}
