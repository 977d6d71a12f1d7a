package dev.abacus.topology.model;

import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * A client that reports every answer and failure, for what they cost and for their tokens. Of a
 * call for several documents, it reports the share of its document.
 *
 * @param next makes the calls
 * @param meter gets each call with its outcome; called by several threads
 */
public record AnswerMeter(ModelClient next, BiConsumer<ModelRequest, ModelAnswer> meter)
    implements ModelClient {

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    meter.accept(request, answer);
    return answer;
  }

  @Override
  public void discard(ModelRequest request) {
    next.discard(request);
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new AnswerMeter(next.detour(detour), meter);
  }
}
