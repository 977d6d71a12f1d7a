package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.RateLimits;
import dev.abacus.topology.model.RateLimits.Budget;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A backlog of calls through a gate to endpoints that count their limits in different ways, in
 * virtual time. Latency, network delay and the size of calls vary at random.
 */
class RateLimitSimulationTest {

  private static final Duration SPAN = Duration.ofMinutes(10);

  /** How an endpoint counts a limit per minute. */
  private interface Counter {
    boolean accepts(long amount, Instant now);

    Budget state(Instant now);
  }

  /** A budget per minute of the clock. */
  private static final class FixedWindow implements Counter {
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
  private static final class SlidingWindow implements Counter {
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
  private static final class Bucket implements Counter {
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

  /** An endpoint with both limits. */
  private record Endpoint(Counter requests, Counter tokens, boolean states, boolean retryAfter) {

    static Endpoint of(Counter requests, Counter tokens) {
      return new Endpoint(requests, tokens, true, true);
    }

    @Nullable ModelFailure refusal(long amount, Instant now) {
      if (!requests.accepts(1, now)) {
        return limited(requests, now);
      }
      return tokens.accepts(amount, now) ? null : limited(tokens, now);
    }

    private ModelFailure limited(Counter counter, Instant now) {
      return new ModelFailure.RateLimited(
          "slow down", retryAfter ? counter.state(now).reset() : null);
    }

    RateLimits limits(Instant now) {
      return new RateLimits(requests.state(now), tokens.state(now));
    }
  }

  /** A worker with a backlog: the calls of its documents, some of whose samples wait too. */
  private static final class Load {
    private final VirtualTime time;
    private final ModelGate gate;
    private final Endpoint endpoint;
    private final Random random;
    private final int meanTokens;
    private long accepted;
    private long acceptedTokens;
    private long refused;
    private long samples;

    Load(VirtualTime time, ModelGate gate, Endpoint endpoint, int meanTokens, long seed) {
      this.time = time;
      this.gate = gate;
      this.endpoint = endpoint;
      this.meanTokens = meanTokens;
      this.random = new Random(seed);
    }

    void start(int backlog) {
      for (int i = 0; i < backlog; i++) {
        next(i % 4 == 0 ? Caller.sample("p") : Caller.live("p"), null);
      }
    }

    private void next(Caller caller, @Nullable Long again) {
      long tokens = again == null ? meanTokens / 2 + random.nextInt(meanTokens) : again;
      Instant now = time.instant();
      WaitQueue.Waiter waiter = new WaitQueue.Waiter(caller, 4 * tokens, now, now, null);
      var _ =
          waiter.thenAccept(decision -> {
            if (decision instanceof Decision.Admitted admitted) {
              time.schedule(
                  Duration.ofMillis(5 + random.nextInt(50)),
                  () -> arrive(caller, tokens, admitted));
            }
          });
      gate.enter(waiter);
    }

    private void arrive(Caller caller, long tokens, Decision.Admitted admitted) {
      ModelFailure refusal = endpoint.refusal(tokens, time.instant());
      RateLimits limits = endpoint.limits(time.instant());
      Duration latency = Duration.ofMillis(refusal != null ? 10 : 300 + random.nextInt(2000));
      time.schedule(
          latency,
          () -> {
            if (endpoint.states()) {
              gate.reported(limits);
            }
            var _ =
                gate.finished(
                    admitted,
                    4 * tokens,
                    refusal,
                    refusal == null
                        ? TokenCounts.of(tokens * 9 / 10, 0, tokens - tokens * 9 / 10)
                        : TokenCounts.NONE);
            if (refusal == null) {
              accepted++;
              acceptedTokens += tokens;
              samples += caller.priority() == Caller.Priority.SAMPLE ? 1 : 0;
              next(caller, null);
            } else {
              refused++;
              next(caller, tokens);
            }
          });
    }

    double refusedShare() {
      return (double) refused / (accepted + refused);
    }
  }

  private static final long PLENTY = 1_000_000_000;

  static Stream<Arguments> endpoints() {
    return Stream.of(20L, 60L, 600L)
        .flatMap(limit ->
            Stream.of(7L)
                .flatMap(seed ->
                    Stream.of("fixed", "sliding", "bucket", "bucket of a second")
                        .map(kind -> Arguments.of(kind, limit, seed))));
  }

  private static Counter counter(String kind, long limit, long seed) {
    return switch (kind) {
      case "fixed" -> new FixedWindow(limit, new Random(seed));
      case "sliding" -> new SlidingWindow(limit);
      case "bucket" -> new Bucket(limit, limit);
      default -> new Bucket(limit, Math.max(2, limit / 60.0));
    };
  }

  private static Load run(Endpoint endpoint, CallLimits configured, int meanTokens, long seed) {
    VirtualTime time = new VirtualTime();
    ModelGate gate = new ModelGate("m", configured, null, time);
    Load load = new Load(time, gate, endpoint, meanTokens, seed);
    load.start(400);
    time.advance(Duration.ofMinutes(1));
    load.accepted = 0;
    load.acceptedTokens = 0;
    time.advance(SPAN);
    return load;
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aLimitOfRequestsThatTheEndpointStatesIsUsedAndKept(String kind, long limit, long seed) {
    Endpoint endpoint =
        Endpoint.of(counter(kind, limit, seed), new FixedWindow(PLENTY, new Random(seed)));
    Load load = run(endpoint, CallLimits.NONE, 500, seed);
    assertThat(load.accepted).as("accepted").isGreaterThanOrEqualTo((long) (0.95 * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aConfiguredLimitOfRequestsIsUsedAndKept(String kind, long limit, long seed) {
    Endpoint endpoint =
        new Endpoint(
            counter(kind, limit, seed), new FixedWindow(PLENTY, new Random(seed)), false, false);
    Load load = run(endpoint, new CallLimits(limit, null), 500, seed);
    assertThat(load.accepted).as("accepted").isGreaterThanOrEqualTo((long) (0.95 * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aLimitOfTokensIsUsedAndKept(String kind, long calls, long seed) {
    long limit = calls * 500;
    Endpoint endpoint =
        Endpoint.of(new FixedWindow(PLENTY, new Random(seed)), counter(kind, limit, seed));
    // A bucket of a second holds less than one of these calls if the limit is low.
    int meanTokens = kind.equals("bucket of a second") ? (int) Math.min(500, limit / 200) : 500;
    Load load = run(endpoint, CallLimits.NONE, meanTokens, seed);
    // Calls of up to 7.5 % of the limit leave that much of it unused.
    double least = calls == 20 && meanTokens == 500 ? 0.88 : 0.95;
    assertThat(load.acceptedTokens)
        .as("accepted tokens")
        .isGreaterThanOrEqualTo((long) (least * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aLimitThatNobodyStatesIsLearnt(String kind, long limit, long seed) {
    Endpoint endpoint =
        new Endpoint(
            counter(kind, limit, seed), new FixedWindow(PLENTY, new Random(seed)), false, true);
    Load load = run(endpoint, CallLimits.NONE, 500, seed);
    assertThat(load.accepted).as("accepted").isGreaterThanOrEqualTo((long) (0.55 * limit * 10));
    // The first minute finds the limit; after that about one call in two minutes tries a higher
    // one.
    assertThat(load.refusedShare()).as("refused").isLessThan(limit == 600 ? 0.01 : 0.12);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void samplesGetATenthWhileDocumentsWait(String kind, long limit, long seed) {
    Endpoint endpoint =
        Endpoint.of(counter(kind, limit, seed), new FixedWindow(PLENTY, new Random(seed)));
    Load load = run(endpoint, CallLimits.NONE, 500, seed);
    assertThat((double) load.samples / load.accepted).isBetween(0.06, 0.14);
  }
}
