package dev.abacus.topology.model;

import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A client that reports every answer and failure, for what they cost and for their tokens. Of a
 * call for several documents, it reports the share of its document.
 *
 * @param next makes the calls
 * @param meter gets the outcome of each call; called by several threads
 */
public record AnswerMeter(ModelClient next, Consumer<ModelAnswer> meter) implements ModelClient {

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    meter.accept(answer);
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
