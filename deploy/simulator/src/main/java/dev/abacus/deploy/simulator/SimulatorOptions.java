package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of a simulated endpoint. Start from {@link #DEFAULTS} and change single options; each
 * change gives other options.
 *
 * @param answers answers files (JSON Lines); without any, every document is unknown
 * @param host the address to listen on
 * @param port the port to listen on; 0 means any free port
 * @param seed the seed of all random effects
 * @param faults rates of the faults
 * @param speed divides modelled and fixed latencies; above 0, {@link Double#POSITIVE_INFINITY}
 *     means no wait
 * @param latency a fixed latency of every call, or the modelled one if null
 * @param stall how long a stalled call waits; not divided by the speed
 * @param slow the latency of calls with the fault {@code slow}; not divided by the speed
 * @param coldStart whether and how models load before their first call
 * @param provider the provider that the endpoint resembles
 * @param apiKey the required key, or null to accept any
 * @param models the models of the endpoint, or null for those of the provider
 * @param rateLimit the limits of calls
 * @param quota the balance of the account in USD, or null for no limit
 * @param contextTokens the context window of all chat models in tokens; 0 for that of each model
 * @param filtered the text that the content filter refuses, or null
 */
@RecordBuilder
public record SimulatorOptions(
    List<Path> answers,
    String host,
    int port,
    long seed,
    FaultRates faults,
    double speed,
    @Nullable Duration latency,
    Duration stall,
    Duration slow,
    ColdStart.Settings coldStart,
    Provider provider,
    @Nullable String apiKey,
    @Nullable Set<String> models,
    RateLimit rateLimit,
    @Nullable Double quota,
    int contextTokens,
    @Nullable String filtered)
    implements SimulatorOptionsBuilder.With {

  /** Loopback, a free port, modelled latency, no faults, no limits, any key. */
  public static final SimulatorOptions DEFAULTS =
      SimulatorOptionsBuilder.builder()
          .answers(List.of())
          .host("127.0.0.1")
          .seed(42)
          .faults(FaultRates.NONE)
          .speed(1)
          .stall(Duration.ofMinutes(10))
          .slow(Duration.ofSeconds(75))
          .coldStart(ColdStart.Settings.NONE)
          .provider(Provider.PATIENT)
          .rateLimit(RateLimit.NONE)
          .build();

  public SimulatorOptions {
    answers = List.copyOf(answers);
    models = models == null ? null : Set.copyOf(models);
    require(port >= 0 && port <= 65535, "port must be from 0 to 65535, not " + port);
    require(speed > 0, "speed must be above 0, not " + speed);
    require(latency == null || !latency.isNegative(), "latency must not be negative");
    require(contextTokens >= 0, "the context must not be negative");
  }

  private static void require(boolean condition, String rule) {
    if (!condition) {
      throw new IllegalArgumentException(rule);
    }
  }

  /** Answers files (JSON Lines); without any, every document is unknown. */
  public SimulatorOptions withAnswers(Path... files) {
    return withAnswers(List.of(files));
  }

  /**
   * Resembles a provider. Limits, key and models stay, but Azure's refusals also state the wait in
   * milliseconds, as Azure does.
   */
  public SimulatorOptions like(Provider other) {
    SimulatorOptions changed = withProvider(other);
    return other == Provider.AZURE
        ? changed.withRateLimit(rateLimit.withRetryAfter(RateLimit.RetryAfter.MILLIS))
        : changed;
  }

  /** Without the key, which must not stand in a log. */
  @Override
  public String toString() {
    return "simulated endpoint like %s at %s:%d".formatted(provider, host, port);
  }
}
