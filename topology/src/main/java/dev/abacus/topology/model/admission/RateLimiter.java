package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.RateLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Paces calls below the limits of requests and tokens per minute. A limit is the lowest of the
 * configured one, of what the endpoint states in its headers, and of the {@link LearnedRate} that
 * its refusals (429) teach.
 *
 * <p>While the endpoint refuses most calls, no call starts for the time that it requests (else for
 * 1 s, two thirds longer with each refusal without an answer between, up to 15 s). If nothing is
 * known of the limits, the first call is sent alone, so that its response can state them.
 *
 * <p>An instance has a {@link #share} of each limit. Thread-safe, because the models of one key
 * share the limiter of the key.
 */
final class RateLimiter {

  /** A budget that this instance used to this part was not used up by others. */
  private static final double OWN_USE = 0.8;

  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

  /** Maximum wait for the reset of a budget per minute. */
  private static final Duration LONGEST_RESET = Duration.ofMinutes(1);

  private CallLimits limits;
  private double share = 1;

  /** Requests of this instance that the endpoint seems to allow. */
  private final LearnedRate learned = new LearnedRate();

  private @Nullable TokenBucket requests;
  private @Nullable TokenBucket tokens;
  private final ConcurrencyLimit concurrency = new ConcurrencyLimit();
  private final MinuteCounter answers = new MinuteCounter();
  private final MinuteCounter usedTokens = new MinuteCounter();
  private int inFlight;
  private boolean heard;
  private Instant pausedUntil = Instant.EPOCH;
  private Duration nextPause = SHORTEST_PAUSE;

  /**
   * A limiter.
   *
   * @param heard whether no answer can tell more, so that calls need not wait for the first one
   */
  RateLimiter(CallLimits configured, boolean heard) {
    this.limits = configured;
    this.heard = heard;
  }

  /**
   * The earliest instant at which a call with this number of tokens may start; {@link Instant#MAX}
   * if it must wait for the end of another call.
   */
  synchronized Instant admits(long callTokens, Instant now) {
    adjust(now);
    boolean known = limits.requestsPerMinute() != null || limits.tokensPerMinute() != null;
    boolean ramps = !concurrency.admits(inFlight);
    if (ramps) {
      learned.ramping();
    }
    if (ramps || (!heard && !known && inFlight > 0)) {
      return Instant.MAX;
    }
    Instant at = later(now, pausedUntil);
    Instant paced = requests == null ? now : requests.available(1, now);
    if (paced.isAfter(now)) {
      learned.held();
    }
    at = later(at, paced);
    return tokens == null ? at : later(at, tokens.available((double) callTokens, now));
  }

  /** Reserves a call if it may start now. Returns the earliest instant at which it may. */
  synchronized Instant reserve(long callTokens, Instant now) {
    Instant at = admits(callTokens, now);
    if (!at.isAfter(now)) {
      admitted(callTokens, now);
    }
    return at;
  }

  /** Creates the buckets of limits that became known, and sets their rates. */
  private void adjust(Instant now) {
    double known = own(limits.requestsPerMinute());
    if (learned.perMinute() >= known) {
      learned.unlimited();
    }
    requests = bucket(requests, Math.min(known, learned.perMinute()), now);
    double slowdown = Double.isInfinite(known) ? 1 : Math.min(1, learned.perMinute() / known);
    tokens = bucket(tokens, own(limits.tokensPerMinute()) * slowdown, now);
  }

  /** The part of a limit that this instance may use; infinite without limit. */
  private double own(@Nullable Long limit) {
    return limit == null ? Double.POSITIVE_INFINITY : limit * share;
  }

  private static @Nullable TokenBucket bucket(
      @Nullable TokenBucket bucket, double own, Instant now) {
    if (Double.isInfinite(own)) {
      return null;
    }
    if (bucket == null) {
      return new TokenBucket(own, now);
    }
    bucket.limit(own, now);
    return bucket;
  }

  /** A call starts. */
  synchronized void admitted(long callTokens, Instant now) {
    inFlight++;
    learned.admitted(now);
    if (requests != null) {
      requests.take(1);
    }
    if (tokens != null) {
      tokens.take((double) callTokens);
    }
  }

  /**
   * A call ended, with or without an answer.
   *
   * @param unused reserved tokens that were not used; negative if more were used
   */
  synchronized void ended(long unused) {
    inFlight--;
    if (!heard) {
      heard = true;
      concurrency.recovered();
    }
    if (tokens != null) {
      tokens.give((double) unused);
    }
  }

  /** The endpoint answered a call that used this number of tokens. */
  synchronized void answered(long used, Instant now) {
    answers.add(1, now);
    usedTokens.add(used, now);
    concurrency.answered();
    if (!pausedUntil.isAfter(now)) {
      nextPause = SHORTEST_PAUSE;
    }
  }

  /** The endpoint refused a call because of its rate. */
  synchronized void refused(Instant start, @Nullable Duration retryAfter, Instant now) {
    if (learned.refused(start, now)) {
      Duration pause = retryAfter == null ? nextPause : retryAfter;
      pausedUntil = later(pausedUntil, now.plus(pause));
      Duration longer = nextPause.multipliedBy(5).dividedBy(3);
      nextPause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
    }
  }

  /** The endpoint answers again after an outage. */
  synchronized void recovered() {
    concurrency.recovered();
  }

  /** Takes in what a response states. */
  synchronized void reported(RateLimits stated, Instant now) {
    RateLimits.Budget ofRequests = stated.requests();
    RateLimits.Budget ofTokens = stated.tokens();
    limits =
        limits.and(
            new CallLimits(
                ofRequests == null ? null : positive(ofRequests.limitPerMinute()),
                ofTokens == null ? null : positive(ofTokens.limitPerMinute())));
    adjust(now);
    remaining(ofRequests, answers.count(now), now);
    remaining(ofTokens, usedTokens.count(now), now);
  }

  private static @Nullable Long positive(@Nullable Long limit) {
    return limit == null || limit < 1 ? null : limit;
  }

  /**
   * Waits for the reset of a budget that is used up. If this instance used most of its part in the
   * last minute, its own pace keeps the limit, and waiting would only lose throughput.
   */
  private void remaining(RateLimits.@Nullable Budget budget, long used, Instant now) {
    Long left = budget == null ? null : budget.remaining();
    Duration reset = budget == null ? null : budget.reset();
    if (budget == null || left == null || left > 0 || reset == null) {
      return;
    }
    Long perMinute = budget.limitPerMinute();
    if (perMinute == null) {
      pausedUntil = later(pausedUntil, now.plus(reset));
    } else if (used < OWN_USE * perMinute * share) {
      Duration wait = reset.compareTo(LONGEST_RESET) < 0 ? reset : LONGEST_RESET;
      pausedUntil = later(pausedUntil, now.plus(wait));
    }
  }

  /** Sets the part of the limits that this instance may use, in (0, 1]. */
  synchronized void share(double part, Instant now) {
    if (part != share) {
      learned.scale(part / share);
      share = part;
      adjust(now);
    }
  }

  /** End of the pause that the endpoint requested; in the past if there is none. */
  synchronized Instant pausedUntil() {
    return pausedUntil;
  }

  /** Whether a limit is known, or the endpoint requested a pause. */
  synchronized boolean isLimited(Instant now) {
    return requests != null || tokens != null || pausedUntil.isAfter(now);
  }

  /** The limits, for a person. */
  synchronized String describe() {
    Long tokenLimit = limits.tokensPerMinute();
    double requestLimit = Math.min(own(limits.requestsPerMinute()), learned.perMinute()) / share;
    String text =
        Double.isInfinite(requestLimit)
            ? ""
            : "%d requests a minute".formatted(Math.round(requestLimit));
    if (tokenLimit != null) {
      text += (text.isEmpty() ? "" : " and ") + tokenLimit + " tokens a minute";
    }
    return text.isEmpty()
        ? "the endpoint limits the rate"
        : "limit of "
            + text
            + (share < 1 ? ", %.0f %% for this instance".formatted(100 * share) : "");
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
