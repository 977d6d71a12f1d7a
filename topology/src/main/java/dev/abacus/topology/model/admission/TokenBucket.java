package dev.abacus.topology.model.admission;

import java.time.Duration;
import java.time.Instant;

/**
 * A token bucket that keeps a limit per minute in every window of a minute, wherever the window
 * starts: fixed windows, sliding windows and the token buckets of endpoints all accept its calls.
 *
 * <p>It refills at 98 % of the limit and holds 1 % of it, at least one request; so it never emits a
 * burst, and a minute has at most 99 % of the limit and one request. The rest allows for different
 * delays on the way to the endpoint. An amount above the capacity waits until the bucket has
 * collected it, and lowers the rate so that the limit still holds. The level may be negative: a
 * call that used more than was reserved delays the next.
 *
 * <p>Not thread-safe.
 */
final class TokenBucket {

  private static final double RATE = 0.98;
  private static final double LOWEST_RATE = 0.8;
  private static final double CAPACITY = 0.01;
  private static final double NANOS_PER_MINUTE = 60e9;
  private static final double LONGEST_WAIT_NANOS = 3600e9;

  /** By which a large amount is forgotten with each smaller one. */
  private static final double DECAY = 0.99;

  private double limit;
  private double largest;

  /** The amount that the next call waits for; 0 if none does. */
  private double collecting;

  private double level = 1;
  private Instant filled;

  /** A bucket without burst. */
  TokenBucket(double limitPerMinute, Instant now) {
    this.limit = limitPerMinute;
    this.filled = now;
  }

  /** Changes the limit per minute; at least 0. */
  void limit(double perMinute, Instant now) {
    if (perMinute != limit) {
      refill(now);
      limit = perMinute;
      level = Math.min(level, Math.max(capacity(), collecting));
    }
  }

  private double capacity() {
    return Math.max(1, CAPACITY * limit);
  }

  private double perMinute() {
    return Math.clamp(limit - largest, LOWEST_RATE * limit, RATE * limit);
  }

  private void refill(Instant now) {
    double capacity = Math.max(capacity(), collecting);
    if (now.isAfter(filled)) {
      double added = perMinute() * Duration.between(filled, now).toNanos() / NANOS_PER_MINUTE;
      level = Math.max(level, Math.min(capacity, level + added));
      filled = now;
    }
  }

  /** The earliest instant at which an amount may be taken. */
  Instant available(double amount, Instant now) {
    collecting = amount;
    refill(now);
    double missing = amount - level;
    if (missing <= 1e-9) {
      return now;
    }
    double nanos = missing / perMinute() * NANOS_PER_MINUTE;
    return now.plus(Duration.ofNanos((long) Math.min(nanos + 1, LONGEST_WAIT_NANOS)));
  }

  void take(double amount) {
    level -= amount;
    collecting = 0;
    largest = Math.max(amount > capacity() ? amount : 0, largest * DECAY);
  }

  /** Returns a part of what was taken; a negative amount takes more. */
  void give(double amount) {
    level = Math.min(level + amount, Math.max(level, capacity()));
  }
}
