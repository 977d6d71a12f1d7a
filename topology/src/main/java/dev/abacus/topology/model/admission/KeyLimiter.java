package dev.abacus.topology.model.admission;

import java.time.Instant;

/** The configured limits of one API key, which all its models share. Thread-safe. */
final class KeyLimiter {

  private final RateLimiter limiter;

  KeyLimiter(CallLimits limits) {
    this.limiter = new RateLimiter(limits, false);
  }

  /** Reserves a call if it may start now. Returns the earliest instant at which it may. */
  synchronized Instant reserve(long tokens, Instant now) {
    Instant at = limiter.admits(tokens, now);
    if (!at.isAfter(now)) {
      limiter.admitted(tokens, now);
    }
    return at;
  }

  /** The earliest instant at which a call may start. */
  synchronized Instant admits(long tokens, Instant now) {
    return limiter.admits(tokens, now);
  }

  /** The limits, for a person. */
  synchronized String describe() {
    return limiter.describe() + ", over all models of the key";
  }

  synchronized void ended(long unusedTokens) {
    limiter.ended(unusedTokens);
  }

  synchronized void share(double part, Instant now) {
    limiter.share(part, now);
  }
}
