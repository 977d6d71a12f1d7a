package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.RateLimits.Budget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/** The ways in which simulated endpoints count a limit. */
final class SimulatedCounters {

  private SimulatedCounters() {}

  /** How an endpoint counts a limit per minute. */
  interface Counter {
    boolean accepts(long amount, Instant now);

    Budget state(Instant now);
  }

  /** A budget per minute of the clock. */
  static final class FixedWindow implements Counter {
    private final long limit;
    private final long offsetMillis;
    private long window;
    private long used;

    FixedWindow(long limit, Random random) {
      this.limit = limit;
      this.offsetMillis = random.nextInt(60_000);
    }

    private long millis(Instant now) {
      return now.toEpochMilli() + offsetMillis;
    }

    private void roll(Instant now) {
      long current = millis(now) / 60_000;
      used = current == window ? used : 0;
      window = current;
    }

    @Override
    public boolean accepts(long amount, Instant now) {
      roll(now);
      boolean fits = used + amount <= limit;
      used += fits ? amount : 0;
      return fits;
    }

    @Override
    public Budget state(Instant now) {
      roll(now);
      return new Budget(limit, limit - used, Duration.ofMillis(60_000 - millis(now) % 60_000));
    }
  }

  /** A budget for the last 60 seconds. */
  static final class SlidingWindow implements Counter {
    private record Use(Instant at, long amount) {}

    private final long limit;
    private final Deque<Use> uses = new ArrayDeque<>();
    private long used;

    SlidingWindow(long limit) {
      this.limit = limit;
    }

    private void forget(Instant now) {
      while (!uses.isEmpty() && !uses.getFirst().at().plusSeconds(60).isAfter(now)) {
        used -= uses.removeFirst().amount();
      }
    }

    @Override
    public boolean accepts(long amount, Instant now) {
      forget(now);
      boolean fits = used + amount <= limit;
      if (fits) {
        uses.addLast(new Use(now, amount));
        used += amount;
      }
      return fits;
    }

    @Override
    public Budget state(Instant now) {
      forget(now);
      Duration reset =
          uses.isEmpty()
              ? Duration.ZERO
              : Duration.between(now, uses.getFirst().at().plusSeconds(60));
      return new Budget(limit, limit - used, reset);
    }
  }

  /** A bucket that holds the budget of some seconds and refills continuously. */
  static final class Bucket implements Counter {
    private final long limit;
    private final double capacity;
    private double level;
    private Instant filled = Instant.EPOCH;

    Bucket(long limit, double capacity) {
      this.limit = limit;
      this.capacity = capacity;
      this.level = capacity;
    }

    private void refill(Instant now) {
      double added = (double) limit * Duration.between(filled, now).toNanos() / 60e9;
      level = Math.min(capacity, level + added);
      filled = now;
    }

    @Override
    public boolean accepts(long amount, Instant now) {
      refill(now);
      boolean fits = level >= amount;
      level -= fits ? amount : 0;
      return fits;
    }

    @Override
    public Budget state(Instant now) {
      refill(now);
      return new Budget(
          limit, (long) level, Duration.ofMillis((long) ((capacity - level) / limit * 60_000)));
    }
  }

  /** No limit. */
  record Unlimited() implements Counter {
    @Override
    public boolean accepts(long amount, Instant now) {
      return true;
    }

    @Override
    public Budget state(Instant now) {
      return new Budget(null, null, Duration.ofSeconds(1));
    }
  }

  /** Refuses a share of the calls at any rate. */
  record Scattered(Counter limit, ToDoubleFunction<Instant> share, Random random)
      implements Counter {
    @Override
    public boolean accepts(long amount, Instant now) {
      return random.nextDouble() >= share.applyAsDouble(now) && limit.accepts(amount, now);
    }

    @Override
    public Budget state(Instant now) {
      return limit.state(now);
    }
  }

  /** Another limit from an instant on. */
  record Changing(Counter before, Counter after, Instant at) implements Counter {
    private Counter present(Instant now) {
      return now.isBefore(at) ? before : after;
    }

    @Override
    public boolean accepts(long amount, Instant now) {
      return present(now).accepts(amount, now);
    }

    @Override
    public Budget state(Instant now) {
      return present(now).state(now);
    }
  }
}
