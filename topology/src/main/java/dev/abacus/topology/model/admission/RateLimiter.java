package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.RateLimits;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Paces calls below the limits of requests and tokens per minute. A limit is the lowest of the
 * configured one and of what the endpoint states in its headers. If an endpoint refuses calls (429)
 * and states no limit, the rate of its latest answers is taken as the limit of requests.
 *
 * <p>After a refusal no call starts for the time that the endpoint requests (else for 1 s, doubling
 * to 1 min with each refusal without an answer between), and the limit is lowered by a tenth. It
 * then grows by 5 % in the first minute, and twice as fast in each further one. If nothing is known
 * of the limits, the first call is sent alone, so that its response can state them.
 *
 * <p>An instance has a {@link #share} of each limit. Not thread-safe.
 */
final class RateLimiter {

  private static final double DECREASE = 0.9;
  private static final double GROWTH_PER_MINUTE = 0.05;
  private static final double FASTEST_GROWTH = 1;

  /** A budget that this instance used to this part was not used up by others. */
  private static final double OWN_USE = 0.8;

  private static final double SMALLEST_SHARE = 0.01;
  private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private CallLimits limits;
  private double share = 1;

  /** Requests per minute that the endpoint seems to allow; infinite before the first refusal. */
  private double learned = Double.POSITIVE_INFINITY;

  /** The span of the answers from which the limit was learnt, in minutes; 0 if not learnt. */
  private double learnedFrom;

  private double growth = GROWTH_PER_MINUTE;
  private Instant grown = Instant.EPOCH;
  private @Nullable TokenBucket requests;
  private @Nullable TokenBucket tokens;
  private final ConcurrencyLimit concurrency = new ConcurrencyLimit();
  private final MinuteCounter answers = new MinuteCounter();
  private final MinuteCounter usedTokens = new MinuteCounter();
  private int inFlight;
  private boolean heard;
  private Instant pausedUntil = Instant.EPOCH;
  private Instant pausedAt = Instant.EPOCH;
  private Duration nextPause = SHORTEST_PAUSE;

  RateLimiter(CallLimits configured) {
    this.limits = configured;
  }

  /**
   * The earliest instant at which a call with this number of tokens may start; {@link Instant#MAX}
   * if it must wait for the end of another call.
   */
  Instant admits(long callTokens, Instant now) {
    adjust(now);
    boolean known = limits.requestsPerMinute() != null || limits.tokensPerMinute() != null;
    if (!concurrency.admits(inFlight) || (!heard && !known && inFlight > 0)) {
      return Instant.MAX;
    }
    Instant at = later(now, pausedUntil);
    at = requests == null ? at : later(at, requests.available(1, now));
    return tokens == null ? at : later(at, tokens.available((double) callTokens, now));
  }

  /** Creates the buckets of limits that became known, and lets a lowered limit recover. */
  private void adjust(Instant now) {
    if (!Double.isInfinite(learned) && now.isAfter(grown)) {
      double minutes = Duration.between(grown, now).toNanos() / 60e9;
      learned *= 1 + growth * Math.min(1, minutes);
      growth = Math.min(FASTEST_GROWTH, growth * Math.pow(2, Math.min(1, minutes)));
      grown = now;
      Long known = limits.requestsPerMinute();
      if (known != null && learned >= known) {
        learned = Double.POSITIVE_INFINITY;
      }
    }
    requests = bucket(requests, requestLimit(), now);
    Long tokenLimit = limits.tokensPerMinute();
    double slowdown = limits.requestsPerMinute() == null ? 1 : slowdown();
    tokens =
        bucket(tokens, tokenLimit == null ? Double.POSITIVE_INFINITY : tokenLimit * slowdown, now);
  }

  private double requestLimit() {
    Long known = limits.requestsPerMinute();
    return known == null ? learned : Math.min(known, learned);
  }

  /** The part of a known limit of requests that is used after refusals. */
  private double slowdown() {
    Long known = limits.requestsPerMinute();
    return known == null ? 1 : Math.min(1, learned / known);
  }

  private @Nullable TokenBucket bucket(@Nullable TokenBucket bucket, double limit, Instant now) {
    if (Double.isInfinite(limit)) {
      return null;
    }
    double own = limit * share;
    if (bucket == null) {
      return new TokenBucket(own, now);
    }
    bucket.limit(own, now);
    return bucket;
  }

  /** A call starts. */
  void admitted(long callTokens) {
    inFlight++;
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
  void ended(long unused) {
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
  void answered(Instant start, long used, Instant now) {
    answers.add(1, now);
    usedTokens.add(used, now);
    concurrency.answered();
    if (learnedFrom > 0 && start.isBefore(pausedAt)) {
      // The endpoint had accepted this call too when it refused another.
      learned += DECREASE / learnedFrom / Math.max(share, SMALLEST_SHARE);
    }
    if (!pausedUntil.isAfter(now)) {
      nextPause = SHORTEST_PAUSE;
    }
  }

  /**
   * The endpoint refused a call because of its rate.
   *
   * @param start of the call; several calls that started before the first refusal count once
   */
  void refused(Instant start, @Nullable Duration retryAfter, Instant now) {
    boolean first = !start.isBefore(pausedAt);
    if (first) {
      concurrency.refused(inFlight + 1);
      lower(retryAfter, now);
      pausedAt = now;
    }
    if (retryAfter != null) {
      pausedUntil = later(pausedUntil, now.plus(retryAfter));
    } else if (first) {
      pausedUntil = later(pausedUntil, now.plus(nextPause));
      Duration twice = nextPause.multipliedBy(2);
      nextPause = twice.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : twice;
    }
  }

  private void lower(@Nullable Duration retryAfter, Instant now) {
    double limit = requestLimit();
    if (Double.isInfinite(limit)) {
      double seconds = answers.seconds(now) + (retryAfter == null ? 0 : retryAfter.toSeconds());
      learnedFrom = Math.clamp(seconds, 1, 60) / 60;
      limit = answers.count(now) / learnedFrom / Math.max(share, SMALLEST_SHARE);
    } else {
      learnedFrom = 0;
    }
    growth = GROWTH_PER_MINUTE;
    learned = Math.max(1, DECREASE * limit);
    grown = now;
  }

  /** The endpoint answers again after an outage. */
  void recovered() {
    concurrency.recovered();
  }

  /** Takes in what a response states. */
  void reported(RateLimits stated, Instant now) {
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
      Duration wait = reset.compareTo(LONGEST_PAUSE) < 0 ? reset : LONGEST_PAUSE;
      pausedUntil = later(pausedUntil, now.plus(wait));
    }
  }

  /** Sets the part of the limits that this instance may use, in [0, 1]. */
  void share(double part, Instant now) {
    if (part != share) {
      share = part;
      adjust(now);
    }
  }

  /** End of the pause that the endpoint requested; in the past if there is none. */
  Instant pausedUntil() {
    return pausedUntil;
  }

  /** Whether a limit is known, or the endpoint requested a pause. */
  boolean isLimited(Instant now) {
    return requests != null || tokens != null || pausedUntil.isAfter(now);
  }

  /** The limits, for a person. */
  String describe() {
    Long tokenLimit = limits.tokensPerMinute();
    double requestLimit = requestLimit();
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

  private static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
