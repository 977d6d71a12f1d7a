package dev.abacus.topology.model.admission;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The rate that an endpoint accepts, learnt from the calls that it refuses (429). It tells a limit
 * from refusals that come at any rate, as those of a gateway under load do, by an experiment: does
 * a lower rate make refusals rarer?
 *
 * <pre>
 *   epoch                    share of refused calls     what follows
 *   open                     usual                      raise by 3 %, then twice as much, to 30 %
 *   open                     above the usual            lower to what was accepted
 *   lowered                  not even halved            lower by a fifth more
 *   lowered more             not even halved, but less  lower by a fifth more
 *   lowered more             as before                  no limit: the share is usual, the rate is
 *                                                       that before
 *   lowered, lowered more    halved                     a limit: go on from what was accepted
 *   any                      all calls                  pause; keep the rate of the last minute
 * </pre>
 *
 * <p>The idea of judging a rate by what gets through, instead of taking each loss for congestion,
 * is that of PCC (Dong et al., NSDI 2015). An epoch lasts a second or longer, until it has enough
 * calls to decide. It is judged when the fate of its calls is known, after twice the time in which
 * the endpoint refuses.
 *
 * <p>Not thread-safe; {@link RateLimiter} guards it.
 */
final class LearnedRate {

  private static final int ENOUGH_CALLS = 20;

  /** With fewer refusals, an epoch goes on. */
  private static final int ENOUGH_REFUSALS = 3;

  /** An experiment lasts until it expects so many refusals. */
  private static final double ENOUGH_EXPECTED = 4;

  private static final int REFUSED_AT_ONCE = 8;
  private static final Duration SHORTEST = Duration.ofSeconds(1);
  private static final Duration LONGEST = Duration.ofSeconds(10);

  /** An epoch after a time without any answer lasts a quarter of that time, at most this. */
  private static final Duration LONGEST_SHORTEST = Duration.ofSeconds(15);

  private static final double SMALLEST_RAISE = 0.03;
  private static final double LARGEST_RAISE = 0.3;

  /** The least share of refusals that is worth an experiment. */
  private static final double TOLERATED = 0.025;

  private static final double REMEDY = 0.5;
  private static final double MORE = 0.8;

  /** Near a limit, the rate after an experiment is this part of what was accepted. */
  private static final double RESUMED = 0.95;

  /** What an epoch has so many calls too few of changes the rate less. */
  private static final double PRIOR_CALLS = 5;

  private static final double MINUTE_NANOS = 60e9;

  /** What the present epoch is. */
  private enum Stage {
    OPEN,
    LOWERED,
    LOWERED_MORE
  }

  /** Calls per minute; infinite if no limit is known. */
  private double rate = Double.POSITIVE_INFINITY;

  /** What was accepted when a limit was found: the rate is raised to it, and from it slowly. */
  private double limit = Double.POSITIVE_INFINITY;

  /** The share of calls that is refused at any rate. */
  private double usual;

  private double raise = SMALLEST_RAISE;
  private Stage stage = Stage.OPEN;
  private double rateBefore;
  private double shareBefore;

  /** Whether the rate could not be lowered as far as an experiment asks for. */
  private boolean bounded;

  private final MinuteCounter accepted = new MinuteCounter();
  private Duration refusalTime = Duration.ofMillis(50);
  private Duration shortest = SHORTEST;
  private Epoch epoch = new Epoch(Instant.EPOCH);

  /** The epoch after one that waits for its verdict. */
  private Epoch next = epoch;

  private Instant last = Instant.EPOCH;
  private @Nullable Exhaustion exhaustion;

  /** A time in which the endpoint accepts nothing. */
  private record Exhaustion(long acceptedBefore, Instant acceptedSince, Instant start) {}

  /** The calls that start in a span of time. */
  private static final class Epoch {
    private final Instant start;
    private long calls;
    private long refusals;

    /** Whether a call waited for the rate. */
    private boolean held;

    /** Whether the number of calls in flight grows from a start. */
    private boolean ramping;

    Epoch(Instant start) {
      this.start = start;
    }

    double share() {
      return calls == 0 ? 0 : Math.min(1, (double) refusals / calls);
    }

    boolean mostRefused() {
      return 2 * refusals > calls;
    }

    boolean allRefused() {
      return refusals >= calls;
    }
  }

  /** Calls per minute that the endpoint accepts; infinite if no limit is known. */
  double perMinute() {
    return rate;
  }

  /** Forgets the limit. */
  void unlimited() {
    rate = Double.POSITIVE_INFINITY;
  }

  /** Multiplies the limit, because another part of it belongs to this instance. */
  void scale(double factor) {
    rate *= factor;
    limit *= factor;
    rateBefore *= factor;
  }

  /** A call waits for the rate. */
  void held() {
    next.held = true;
  }

  /** A call waits because the number of calls in flight grows from a start. */
  void ramping() {
    next.ramping = true;
  }

  /** A call starts. */
  void admitted(Instant now) {
    advance(now);
    next.calls++;
    accepted.add(1, now);
    last = now;
  }

  /**
   * The endpoint refused a call. Returns whether it refuses most calls now, so that a pause is due.
   */
  boolean refused(Instant start, Instant now) {
    accepted.add(-1, now);
    Duration time = Duration.between(start, now);
    refusalTime =
        time.compareTo(refusalTime) > 0
            ? time
            : refusalTime.multipliedBy(9).plus(time).dividedBy(10);
    advance(now);
    if (start.isBefore(epoch.start)) {
      return false;
    }
    Epoch own = next != epoch && start.isAfter(next.start) ? next : epoch;
    own.refusals++;
    if (next != epoch || !epoch.mostRefused() || epoch.refusals < atOnce(now)) {
      return false;
    }
    next = new Epoch(now);
    return true;
  }

  /** The refusals after which an epoch with mostly refusals ends early. */
  private int atOnce(Instant now) {
    if (exhaustion != null && epoch.allRefused()) {
      return 1;
    }
    boolean lasting = Duration.between(epoch.start, now).compareTo(SHORTEST) >= 0;
    return lasting ? ENOUGH_REFUSALS : REFUSED_AT_ONCE;
  }

  /** Ends the epoch, or judges it if it has ended. */
  private void advance(Instant now) {
    if (next != epoch) {
      if (!now.isBefore(next.start.plus(refusalTime.multipliedBy(2)))) {
        judge(next.start);
        epoch = next;
      }
      return;
    }
    Duration length = Duration.between(epoch.start, now);
    boolean idle = !epoch.held && epoch.refusals == 0 && epoch.calls < ENOUGH_CALLS;
    if (idle && length.compareTo(LONGEST) > 0) {
      epoch = next = new Epoch(now);
    } else if (epoch.calls > 0 && now.isAfter(last) && isOver(length)) {
      next = new Epoch(now);
    }
  }

  private boolean isOver(Duration length) {
    if (length.compareTo(shortest) < 0) {
      return false;
    }
    if (length.compareTo(LONGEST) >= 0) {
      return true;
    }
    boolean conclusive =
        switch (stage) {
          case OPEN ->
              epoch.refusals == 0
                  || epoch.refusals >= ENOUGH_REFUSALS
                  || epoch.calls >= ENOUGH_REFUSALS * ENOUGH_CALLS;
          case LOWERED, LOWERED_MORE ->
              epoch.refusals >= ENOUGH_EXPECTED || epoch.calls * shareBefore >= ENOUGH_EXPECTED;
        };
    return conclusive && epoch.calls >= ENOUGH_CALLS;
  }

  private void judge(Instant end) {
    if (epoch.allRefused()) {
      exhausted(end);
      return;
    }
    if (exhaustion != null) {
      Duration quarter = Duration.between(exhaustion.start(), end).dividedBy(4);
      shortest = quarter.compareTo(SHORTEST) < 0 ? SHORTEST : quarter;
      shortest = shortest.compareTo(LONGEST_SHORTEST) > 0 ? LONGEST_SHORTEST : shortest;
      exhaustion = null;
    }
    double share = epoch.share();
    if (stage == Stage.OPEN) {
      judgeOpen(share, end);
    } else if (epoch.refusals > 1 && share >= REMEDY * shareBefore) {
      noRemedy(share, end);
    } else {
      remedied(share);
    }
  }

  /** All calls were refused: keeps the rate that was accepted before. */
  private void exhausted(Instant end) {
    Exhaustion present = exhaustion;
    if (present == null) {
      present = new Exhaustion(accepted.count(end), end.minusSeconds(accepted.seconds(end)), end);
      exhaustion = present;
    }
    if (present.acceptedBefore() > 0) {
      double perMinute =
          MINUTE_NANOS * present.acceptedBefore() / nanos(present.acceptedSince(), end);
      lower(perMinute, 1, end);
      limit = Math.min(limit, rate);
    }
  }

  private void judgeOpen(double share, Instant end) {
    if (isUnusual()) {
      if (!epoch.ramping || epoch.mostRefused()) {
        limit = acceptedPerMinute(end);
        lower(limit, share, end);
      }
      return;
    }
    if (share < usual) {
      learn(share);
    } else if (rate <= limit) {
      usual += 0.1 * (share - usual);
    }
    if (epoch.held && !epoch.mostRefused()) {
      raise();
    }
  }

  /** Whether chance does not explain the refusals, at two standard deviations. */
  private boolean isUnusual() {
    double expected = Math.max(usual, TOLERATED);
    double deviation = Math.sqrt(epoch.calls * expected * (1 - expected));
    return epoch.refusals > expected * epoch.calls + 2 * deviation;
  }

  private void learn(double share) {
    usual += Math.min(0.5, epoch.calls / 200.0) * (share - usual);
  }

  private void raise() {
    double raised = rate * (1 + raise);
    if (rate < limit && limit < raised) {
      rate = limit;
      raise = SMALLEST_RAISE;
    } else {
      rate = raised;
      raise = Math.min(LARGEST_RAISE, 2 * raise);
    }
  }

  private void noRemedy(double share, Instant end) {
    // While most calls are refused, the rate stays low; it falls further if refusals increase.
    boolean increased = epoch.mostRefused() && share - shareBefore > 0.5 * (1 - shareBefore);
    if (stage == Stage.LOWERED || increased || bounded || isRarer(share)) {
      limit = acceptedPerMinute(end);
      lower(MORE * limit, share, end);
      stage = Stage.LOWERED_MORE;
    } else if (!epoch.mostRefused()) {
      rate = rateBefore;
      limit = Double.POSITIVE_INFINITY;
      usual = share;
      stage = Stage.OPEN;
    }
  }

  /** Whether chance does not explain that refusals became rarer, at two standard deviations. */
  private boolean isRarer(double share) {
    double deviation = Math.sqrt(2 * shareBefore * (1 - shareBefore) / epoch.calls);
    return share < shareBefore - 2 * deviation;
  }

  private void remedied(double share) {
    if (stage == Stage.LOWERED_MORE) {
      rate = Math.max(rate, RESUMED * limit);
    }
    if (stage == Stage.LOWERED_MORE || share < usual) {
      learn(share);
    }
    stage = Stage.OPEN;
  }

  private double acceptedPerMinute(Instant end) {
    double perMinute = MINUTE_NANOS * epoch.calls / nanos(epoch.start, end);
    double prior = PRIOR_CALLS * (1 - epoch.share());
    double kept = (epoch.calls - epoch.refusals + prior) / (epoch.calls + PRIOR_CALLS);
    return perMinute * kept;
  }

  /** Lowers the rate, but not below half of what was accepted in the last minute. */
  private void lower(double perMinute, double share, Instant now) {
    if (stage == Stage.OPEN) {
      rateBefore = rate;
      stage = Stage.LOWERED;
    }
    double least = Math.max(1, accepted.perMinute(now) / 2);
    bounded = perMinute < least;
    rate = Math.min(rate, Math.max(perMinute, least));
    raise = SMALLEST_RAISE;
    shareBefore = share;
  }

  private static double nanos(Instant from, Instant to) {
    return Math.max(1e6, (double) Duration.between(from, to).toNanos());
  }
}
