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
    Meter meter =
        meters.computeIfAbsent(
            name,
            _ ->
                limit.algorithm() == RateLimit.Algorithm.TOKEN_BUCKET
                    ? new Bucket(perMinute, limit.window(), now)
                    : new Window(perMinute, limit.window(), now));
    meter.advance(now);
    return meter;
  }

  /** Measures the use of one limit. */
  private abstract static class Meter {
    private final double perMinute;
    final double capacity;
    double used;

    Meter(double perMinute, Duration window) {
      this.perMinute = perMinute;
      // A window in which nothing fits would refuse everything.
      this.capacity = Math.max(1, perMinute * window.toNanos() / 60e9);
    }

    abstract void advance(Instant now);

    /** Time until an amount is free. An amount above the capacity needs the whole capacity. */
    abstract Duration wait(double amount, Instant now);

    abstract Duration untilFull(Instant now);

    final boolean fits(double amount) {
      return used + Math.min(amount, capacity) <= capacity + 1e-9;
    }

    final void use(double amount) {
      used += amount;
    }

    final State state(Instant now, boolean lacking) {
      return new State(
          (long) perMinute,
          (long) Math.max(0, Math.floor(capacity - used + 1e-9)),
          untilFull(now),
          lacking);
    }
  }

  private static final class Bucket extends Meter {
    private final double perNano;
    private Instant last;

    Bucket(double perMinute, Duration window, Instant now) {
      super(perMinute, window);
      this.perNano = perMinute / 60e9;
      this.last = now;
    }

    @Override
    void advance(Instant now) {
      used = Math.max(0, used - Duration.between(last, now).toNanos() * perNano);
      last = now;
    }

    @Override
    Duration wait(double amount, Instant now) {
      return fits(amount)
          ? Duration.ZERO
          : nanos(used + Math.min(amount, capacity) - capacity).plusNanos(1);
    }

    @Override
    Duration untilFull(Instant now) {
      return nanos(used);
    }

    private Duration nanos(double amount) {
      return Duration.ofNanos((long) Math.ceil(amount / perNano));
    }
  }

  private static final class Window extends Meter {
    private final Duration length;
    private Instant end;

    Window(double perMinute, Duration length, Instant now) {
      super(perMinute, length);
      this.length = length;
      this.end = now.plus(length);
    }

    @Override
    void advance(Instant now) {
      while (!now.isBefore(end)) {
        used = 0;
        end = end.plus(length);
      }
    }

    @Override
    Duration wait(double amount, Instant now) {
      return fits(amount) ? Duration.ZERO : untilFull(now);
    }

    @Override
    Duration untilFull(Instant now) {
      return Duration.between(now, end);
    }
  }
}
