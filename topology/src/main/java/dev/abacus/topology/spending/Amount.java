package dev.abacus.topology.spending;

import dev.abacus.schemas.program.Spending;

/**
 * An amount of money and of tokens. A cap may limit one of them only; the other is then {@link
 * #UNLIMITED}.
 *
 * @param nanoUsd billionths of a USD, so that sums are exact
 * @param tokens input plus output tokens
 */
public record Amount(long nanoUsd, long tokens) {

  /** Nothing. */
  public static final Amount ZERO = new Amount(0, 0);

  /** A number that is larger than any real amount; sums of a few do not overflow. */
  static final long UNLIMITED = 1L << 60;

  private static final double NANO = 1e9;

  /** An amount, rounded up to a billionth of a USD, at most {@link #UNLIMITED}. */
  public static Amount of(double usd, long tokens) {
    return new Amount(
        (long) Math.min(UNLIMITED, Math.ceil(Math.max(0, usd) * NANO)),
        Math.clamp(tokens, 0, UNLIMITED));
  }

  static Amount of(Spending cap) {
    return of(
        cap.usd() == null ? Double.MAX_VALUE : cap.usd(),
        cap.tokens() == null ? UNLIMITED : cap.tokens());
  }

  double usd() {
    return nanoUsd / NANO;
  }

  Amount plus(Amount other) {
    return new Amount(
        Math.min(UNLIMITED, nanoUsd + other.nanoUsd), Math.min(UNLIMITED, tokens + other.tokens));
  }

  /** The difference; may be negative. */
  Amount minus(Amount other) {
    return new Amount(nanoUsd - other.nanoUsd, tokens - other.tokens);
  }

  Amount min(Amount other) {
    return new Amount(Math.min(nanoUsd, other.nanoUsd), Math.min(tokens, other.tokens));
  }

  Amount max(Amount other) {
    return new Amount(Math.max(nanoUsd, other.nanoUsd), Math.max(tokens, other.tokens));
  }

  Amount dividedBy(int parts) {
    return new Amount(nanoUsd / parts, tokens / parts);
  }

  /** Whether neither money nor tokens are more than in the other amount. */
  boolean isWithin(Amount other) {
    return nanoUsd <= other.nanoUsd && tokens <= other.tokens;
  }

  /** This amount without the kinds that the cap does not limit. */
  Amount limitedBy(Amount cap) {
    return new Amount(cap.nanoUsd == UNLIMITED ? 0 : nanoUsd, cap.tokens == UNLIMITED ? 0 : tokens);
  }
}
