package dev.abacus.deploy.simulator.limit;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Admits calls up to a {@link RateLimit}. Refused calls do not count. */
public final class RateLimiter {

  private final Clock clock;
  private final Map<String, Meter> meters = new HashMap<>();
  private RateLimit limit;

  public RateLimiter(RateLimit limit, Clock clock) {
    this.limit = limit;
    this.clock = clock;
  }

  /** The present limits. */
  public synchronized RateLimit limit() {
    return limit;
  }

  /** Changes the limits; all counts start again. */
  public synchronized void change(RateLimit other) {
    limit = other;
    meters.clear();
  }

  /**
   * The state of the limits after a call was admitted or refused.
   *
   * @param requests state of the limit of requests, or null without one
   * @param tokens state of the limit of tokens, or null without one
   * @param delay how long a refused call must wait at least; null if the call is admitted
   */
  public record Decision(
      @Nullable State requests, @Nullable State tokens, @Nullable Duration delay) {

    /** Whether the limit of tokens is the reason of a refusal. */
    public boolean outOfTokens() {
      return tokens != null && tokens.lacking;
    }
  }

  /**
   * The state of one limit.
   *
   * @param limit per minute
   * @param remaining what can be used at once
   * @param untilFull time until nothing counts as used
   * @param lacking whether this limit refuses the call
   */
  public record State(long limit, long remaining, Duration untilFull, boolean lacking) {}

  /** Admits or refuses a call that is expected to use a number of tokens. */
  public synchronized Decision admit(String model, int tokens) {
    Instant now = clock.instant();
    boolean own = limit.scope() == RateLimit.Scope.MODEL;
    String subject = own ? model : "";
    double requestsPerMinute = limit.requestsPerMinute(model);
    Meter calls =
        requestsPerMinute > 0
            ? meter(
                "requests/" + (limit.models().containsKey(model) ? model : subject),
                requestsPerMinute,
                now)
            : null;
    Meter used =
        limit.tokensPerMinute() > 0
            ? meter("tokens/" + subject, limit.tokensPerMinute(), now)
            : null;
    Duration callWait = calls == null ? Duration.ZERO : calls.wait(1, now);
    Duration tokenWait = used == null ? Duration.ZERO : used.wait(tokens, now);
    Duration wait = callWait.compareTo(tokenWait) > 0 ? callWait : tokenWait;
    if (wait.isZero()) {
      if (calls != null) {
        calls.use(1);
      }
      if (used != null) {
        used.use(tokens);
      }
    }
    return new Decision(
        calls == null ? null : calls.state(now, !callWait.isZero()),
        used == null ? null : used.state(now, !tokenWait.isZero()),
        wait.isZero() ? null : wait);
  }

  private Meter meter(String name, double perMinute, Instant now) {
    Meter meter = meters.computeIfAbsent(name, _ -> new Meter(limit, perMinute, now));
    meter.advance(now);
    return meter;
  }

  /** Measures the use of one limit. */
  private static final class Meter {
    private final RateLimit.Algorithm algorithm;
    private final Duration window;
    private final double perMinute;
    private final double capacity;
    private double used;

    /** The time of the last look at a bucket, or the begin of a window. */
    private Instant since;

    Meter(RateLimit limit, double perMinute, Instant now) {
      this.algorithm = limit.algorithm();
      this.window = limit.window();
      this.perMinute = perMinute;
      // A window in which nothing fits would refuse everything.
      this.capacity = Math.max(1, perMinute * window.toNanos() / 60e9);
      this.since = now;
    }

    void advance(Instant now) {
      switch (algorithm) {
        case TOKEN_BUCKET -> {
          used = Math.max(0, used - Duration.between(since, now).toNanos() * (perMinute / 60e9));
          since = now;
        }
        case FIXED_WINDOW -> {
          while (!now.isBefore(since.plus(window))) {
            used = 0;
            since = since.plus(window);
          }
        }
      }
    }

    /** Time until an amount is free. An amount above the capacity needs the whole capacity. */
    Duration wait(double amount, Instant now) {
      double excess = used + Math.min(amount, capacity) - capacity;
      if (excess <= 1e-9) {
        return Duration.ZERO;
      }
      return switch (algorithm) {
        case TOKEN_BUCKET -> filled(excess).plusNanos(1);
        case FIXED_WINDOW -> untilFull(now);
      };
    }

    private Duration untilFull(Instant now) {
      return switch (algorithm) {
        case TOKEN_BUCKET -> filled(used);
        case FIXED_WINDOW -> Duration.between(now, since.plus(window));
      };
    }

    /** Time in which a bucket gets an amount. */
    private Duration filled(double amount) {
      return Duration.ofNanos((long) Math.ceil(amount / (perMinute / 60e9)));
    }

    void use(double amount) {
      used += amount;
    }

    State state(Instant now, boolean lacking) {
      return new State(
          (long) perMinute,
          (long) Math.max(0, Math.floor(capacity - used + 1e-9)),
          untilFull(now),
          lacking);
    }
  }
}
