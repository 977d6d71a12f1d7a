package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.admission.Load.Endpoint;
import dev.abacus.topology.model.admission.SimulatedCounters.Bucket;
import dev.abacus.topology.model.admission.SimulatedCounters.Counter;
import dev.abacus.topology.model.admission.SimulatedCounters.FixedWindow;
import dev.abacus.topology.model.admission.SimulatedCounters.SlidingWindow;
import dev.abacus.topology.model.admission.SimulatedCounters.Unlimited;
import java.time.Duration;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A backlog of calls through a gate to endpoints that count their limits in different ways, in
 * virtual time. Latency, network delay and the size of calls vary at random.
 */
class RateLimitSimulationTest {

  private static final Duration SPAN = Duration.ofMinutes(10);

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

  private static Load.Tally run(
      Endpoint endpoint, CallLimits configured, int meanTokens, long seed) {
    VirtualTime time = new VirtualTime();
    ModelGate gate = new ModelGate("m", false, configured, null, time);
    Load load = new Load(time, gate, endpoint, meanTokens, seed);
    load.start(400);
    time.advance(Duration.ofMinutes(1));
    load.lately();
    time.advance(SPAN);
    return load.lately();
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aLimitOfRequestsThatTheEndpointStatesIsUsedAndKept(String kind, long limit, long seed) {
    Endpoint endpoint = Endpoint.open(counter(kind, limit, seed), new Unlimited());
    Load.Tally load = run(endpoint, CallLimits.NONE, 500, seed);
    assertThat(load.accepted()).as("accepted").isGreaterThanOrEqualTo((long) (0.95 * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aConfiguredLimitOfRequestsIsUsedAndKept(String kind, long limit, long seed) {
    Endpoint endpoint = new Endpoint(counter(kind, limit, seed), new Unlimited(), false, false);
    Load.Tally load = run(endpoint, new CallLimits(limit, null), 500, seed);
    assertThat(load.accepted()).as("accepted").isGreaterThanOrEqualTo((long) (0.95 * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void aLimitOfTokensIsUsedAndKept(String kind, long calls, long seed) {
    long limit = calls * 500;
    Endpoint endpoint = Endpoint.open(new Unlimited(), counter(kind, limit, seed));
    // A bucket of a second holds less than one of these calls if the limit is low.
    int meanTokens = kind.equals("bucket of a second") ? (int) Math.min(500, limit / 200) : 500;
    Load.Tally load = run(endpoint, CallLimits.NONE, meanTokens, seed);
    // Calls of up to 7.5 % of the limit leave that much of it unused.
    double least = calls == 20 && meanTokens == 500 ? 0.88 : 0.95;
    assertThat(load.acceptedTokens())
        .as("accepted tokens")
        .isGreaterThanOrEqualTo((long) (least * limit * 10));
    assertThat(load.refusedShare()).as("refused").isLessThanOrEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("endpoints")
  void samplesGetATenthWhileDocumentsWait(String kind, long limit, long seed) {
    Endpoint endpoint = Endpoint.open(counter(kind, limit, seed), new Unlimited());
    Load.Tally load = run(endpoint, CallLimits.NONE, 500, seed);
    assertThat((double) load.samples() / load.accepted()).isBetween(0.06, 0.14);
  }
}
