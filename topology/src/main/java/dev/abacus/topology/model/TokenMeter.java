package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;

/** Counts the tokens of the calls that pass through it. Thread-safe. */
public final class TokenMeter implements ModelClient {

  private final ModelClient next;
  private final AtomicReference<TokenCounts> counted;

  public TokenMeter(ModelClient next) {
    this(next, new AtomicReference<>(TokenCounts.NONE));
  }

  private TokenMeter(ModelClient next, AtomicReference<TokenCounts> counted) {
    this.next = next;
    this.counted = counted;
  }

  @Override
  public ModelAnswer call(ModelRequest request) throws InterruptedException {
    ModelAnswer answer = next.call(request);
    counted.accumulateAndGet(answer.tokens(), TokenCounts::plus);
    return answer;
  }

  @Override
  public ModelClient detour(UnaryOperator<ModelClient> detour) {
    return new TokenMeter(next.detour(detour), counted);
  }

  /** The tokens so far, by kind. */
  public TokenCounts tokens() {
    return Objects.requireNonNull(counted.get());
  }
}
