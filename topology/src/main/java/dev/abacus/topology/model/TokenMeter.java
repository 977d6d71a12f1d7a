package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * A client that reports the tokens of every answer and failure. Of a call for several documents, it
 * reports the share of its document.
 *
 * @param next makes the calls
 * @param meter gets the tokens of each call; called by several threads
 */
public record TokenMeter(ModelClient next, Consumer<TokenCounts> meter) implements ModelClient {

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    meter.accept(answer.tokens());
    return answer;
  }

  @Override
  public void discard(ModelRequest request) {
    next.discard(request);
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new TokenMeter(next.detour(detour), meter);
  }
}
