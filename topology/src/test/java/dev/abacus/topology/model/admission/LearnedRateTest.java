package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.admission.Load.Endpoint;
import dev.abacus.topology.model.admission.SimulatedCounters.Bucket;
import dev.abacus.topology.model.admission.SimulatedCounters.Changing;
import dev.abacus.topology.model.admission.SimulatedCounters.Counter;
import dev.abacus.topology.model.admission.SimulatedCounters.FixedWindow;
import dev.abacus.topology.model.admission.SimulatedCounters.Scattered;
import dev.abacus.topology.model.admission.SimulatedCounters.SlidingWindow;
import dev.abacus.topology.model.admission.SimulatedCounters.Unlimited;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Backlogs of calls through gates to endpoints that state no limit, in virtual time, with several
 * seeds: what refusals teach about the rate.
 */
class LearnedRateTest {

  private static final int SEEDS = 4;
  private static final int BACKLOG = 400;
  private static final Duration MINUTE = Duration.ofMinutes(1);

  /** What calls to an endpoint get, on average over the seeds. */
  private record Measured(double acceptedPerMinute, double refusedShare) {}

  private static Counter counter(String kind, long limit, long seed) {
    return switch (kind) {
      case "fixed" -> new FixedWindow(limit, new Random(seed));
      case "sliding" -> new SlidingWindow(limit);
      case "bucket" -> new Bucket(limit, limit);
      default -> new Bucket(limit, Math.max(2, limit / 60.0));
    };
  }

  private static Counter scattered(Counter limit, double share, long seed) {
    return new Scattered(limit, _ -> share, new Random(seed));
  }

  private static Load load(VirtualTime time, Counter requests, long seed, int backlog) {
    ModelGate gate = new ModelGate("m", false, CallLimits.NONE, null, time);
    Load load = new Load(time, gate, Endpoint.silent(requests), 500, seed);
    load.start(backlog);
    return load;
  }

  /** Measures some workers with one endpoint, after a time to settle. */
  private static Measured measure(
      int workers, Duration settling, Duration span, LongFunction<Counter> endpoint) {
    List<Load.Tally> tallies =
        LongStream.range(0, SEEDS)
            .boxed()
            .flatMap(seed -> {
              VirtualTime time = new VirtualTime();
              Counter requests = endpoint.apply(seed);
              List<Load> loads =
                  IntStream.range(0, workers)
                      .mapToObj(worker -> load(time, requests, 10 * seed + worker, BACKLOG))
                      .toList();
              time.advance(settling);
              loads.forEach(Load::lately);
              time.advance(span);
              return loads.stream().map(Load::lately);
            })
            .toList();
    double accepted = tallies.stream().mapToLong(Load.Tally::accepted).sum();
    double refused = tallies.stream().mapToLong(Load.Tally::refused).sum();
    return new Measured(
        accepted / SEEDS * MINUTE.toMillis() / span.toMillis(), refused / (accepted + refused));
  }

  private static double unlimitedPerMinute(Duration settling, Duration span) {
    return measure(1, settling, span, _ -> new Unlimited()).acceptedPerMinute();
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.01, 0.04, 0.2})
  void scatteredRefusalsAreNoLimit(double share) {
    Measured measured =
        measure(1, Duration.ZERO, MINUTE, seed -> scattered(new Unlimited(), share, seed));
    assertThat(measured.acceptedPerMinute())
        .isGreaterThanOrEqualTo(0.9 * (1 - share) * unlimitedPerMinute(Duration.ZERO, MINUTE));
  }

  /** Each seed, within what chance does to a count, and also soon after the start. */
  @ParameterizedTest
  @CsvSource({"60,60,0.9", "15,400,0.9", "60,400,0.9", "60,400,1"})
  void twentySecondsAfterABurstOfRefusalsTheRateIsBack(int start, int backlog, double share) {
    for (long seed = 0; seed < 5 * SEEDS; seed++) {
      VirtualTime time = new VirtualTime();
      Instant burst = time.instant().plusSeconds(start);
      Counter endpoint =
          new Scattered(
              new Unlimited(),
              now -> now.isBefore(burst) || now.isAfter(burst.plusSeconds(10)) ? 0 : share,
              new Random(seed));
      Load load = load(time, endpoint, seed, backlog);
      time.advance(Duration.ofSeconds(start - 5));
      load.lately();
      time.advance(Duration.ofSeconds(5));
      double before = load.lately().accepted();
      time.advance(Duration.ofSeconds(10 + 20));
      load.lately();
      time.advance(Duration.ofSeconds(10));
      assertThat(load.lately().accepted() / 2.0)
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(0.9 * before - 3 * Math.sqrt(before));
    }
  }

  @ParameterizedTest
  @CsvSource({"bucket,600", "bucket,6000", "bucket of a second,600", "bucket of a second,6000"})
  void aLimitThatNobodyStatesIsLearnt(String kind, long limit) {
    Measured measured =
        measure(1, MINUTE, MINUTE.multipliedBy(2), seed -> counter(kind, limit, seed));
    assertThat(measured.acceptedPerMinute()).isBetween(0.85 * limit, 1.01 * limit + 2);
    assertThat(measured.refusedShare()).as("refused").isLessThanOrEqualTo(0.05);
  }

  /** A limit of a whole minute shows only when the minute is used up. */
  @ParameterizedTest
  @CsvSource({"fixed,60", "fixed,600", "fixed,6000", "sliding,60", "sliding,600", "sliding,6000"})
  void aLimitOfWholeMinutesIsLearntLessExactly(String kind, long limit) {
    Measured measured =
        measure(1, MINUTE, MINUTE.multipliedBy(3), seed -> counter(kind, limit, seed));
    assertThat(measured.acceptedPerMinute()).isGreaterThanOrEqualTo(0.65 * limit);
    assertThat(measured.refusedShare()).as("refused").isLessThanOrEqualTo(0.12);
  }

  @ParameterizedTest
  @CsvSource({"bucket,600", "bucket,6000", "bucket of a second,600", "bucket of a second,6000"})
  void aLimitIsLearntAmongScatteredRefusals(String kind, long limit) {
    Measured measured =
        measure(
            1,
            MINUTE,
            MINUTE.multipliedBy(2),
            seed -> scattered(counter(kind, limit, seed), 0.04, seed));
    assertThat(measured.acceptedPerMinute()).isGreaterThanOrEqualTo(0.8 * limit);
  }

  @ParameterizedTest
  @CsvSource({"600,300", "600,1200", "6000,3000", "6000,12000"})
  void aMovingLimitIsFollowedWithinHalfAMinute(long from, long to) {
    Instant at = new VirtualTime().instant().plusSeconds(60);
    Measured measured =
        measure(
            1,
            Duration.ofSeconds(90),
            MINUTE,
            _ -> new Changing(new Bucket(from, from / 60.0), new Bucket(to, to / 60.0), at));
    assertThat(measured.acceptedPerMinute()).isBetween(0.85 * to, 1.01 * to + 2);
    assertThat(measured.refusedShare()).as("refused").isLessThanOrEqualTo(0.1);
  }

  @Test
  void workersThatShareAnUnknownLimitUseAndKeepIt() {
    Measured measured = measure(3, MINUTE, MINUTE.multipliedBy(2), _ -> new Bucket(1200, 20));
    assertThat(measured.acceptedPerMinute()).isBetween(0.85 * 1200, 1.01 * 1200 + 2);
    assertThat(measured.refusedShare()).as("refused").isLessThanOrEqualTo(0.15);
  }

  /**
   * A machine that stalls sends calls in bursts, and a bucket accepts a burst, so the rate at which
   * it lowers is too high at first. Refusals that become rarer are still those of a limit.
   */
  @Test
  void aLimitIsLearntWhileTheMachineStalls() {
    Duration window = Duration.ofSeconds(5);
    for (long seed = 0; seed < 10 * SEEDS; seed++) {
      VirtualTime time = new VirtualTime();
      Load load = load(time, new Bucket(6000, 100), seed, BACKLOG);
      Random random = new Random(seed);
      for (Duration past = Duration.ZERO; past.compareTo(MINUTE) < 0; past = past.plus(window)) {
        Duration left = window;
        while (left.compareTo(Duration.ofSeconds(2)) > 0) {
          Duration run = Duration.ofMillis(1 + random.nextInt(2000));
          Duration stall = Duration.ofMillis(random.nextInt(1000));
          time.advance(run);
          time.stall(stall);
          left = left.minus(run).minus(stall);
        }
        time.advance(left.isNegative() ? Duration.ZERO : left);
        Load.Tally tally = load.lately();
        if (past.compareTo(Duration.ofSeconds(10)) >= 0) {
          assertThat(tally.refusedShare()).as("seed %d after %s", seed, past).isLessThan(0.35);
        }
      }
    }
  }
}
