package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Options of a simulated endpoint. Start from {@link #DEFAULTS} and change single options; each
 * change gives other options.
 */
public final class SimulatorOptions implements Cloneable {

  /** Loopback, a free port, modelled latency, no faults, no limits, any key. */
  public static final SimulatorOptions DEFAULTS = new SimulatorOptions();

  List<Path> answers = List.of();
  String host = "127.0.0.1";
  int port;
  long seed = 42;
  FaultRates faults = FaultRates.NONE;
  double speed = 1;
  @Nullable Duration latency;
  Duration stall = Duration.ofMinutes(10);
  Duration slow = Duration.ofSeconds(75);
  ColdStart.Settings coldStart = ColdStart.Settings.NONE;
  Provider provider = Provider.PATIENT;
  @Nullable String apiKey;
  @Nullable Set<String> models;
  RateLimit rateLimit = RateLimit.NONE;
  @Nullable Double quotaUsd;
  int contextTokens;
  @Nullable String filtered;

  private SimulatorOptions() {}

  private SimulatorOptions with(Consumer<SimulatorOptions> change) {
    try {
      SimulatorOptions changed = (SimulatorOptions) clone();
      change.accept(changed);
      return changed;
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
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

  public SimulatorOptions withAnswers(List<Path> files) {
    return with(changed -> changed.answers = List.copyOf(files));
  }

  /** The address to listen on. */
  public SimulatorOptions withHost(String name) {
    return with(changed -> changed.host = name);
  }

  /** The port to listen on; 0 means any free port. */
  public SimulatorOptions withPort(int number) {
    require(number >= 0 && number <= 65535, "port must be from 0 to 65535, not " + number);
    return with(changed -> changed.port = number);
  }

  /**
   * Divides modelled and fixed latencies; {@link Double#POSITIVE_INFINITY} means no wait.
   *
   * @param factor above 0
   */
  public SimulatorOptions withSpeed(double factor) {
    require(factor > 0, "speed must be above 0, not " + factor);
    return with(changed -> changed.speed = factor);
  }

  /** A fixed latency of every call, or the modelled one if null. */
  public SimulatorOptions withLatency(@Nullable Duration duration) {
    require(duration == null || !duration.isNegative(), "latency must not be negative");
    return with(changed -> changed.latency = duration);
  }

  public SimulatorOptions withFaults(FaultRates rates) {
    return with(changed -> changed.faults = rates);
  }

  /** The seed of all random effects. */
  public SimulatorOptions withSeed(long number) {
    return with(changed -> changed.seed = number);
  }

  /** How long a stalled call waits; not divided by the speed. */
  public SimulatorOptions withStall(Duration duration) {
    return with(changed -> changed.stall = duration);
  }

  /** The latency of calls with the fault {@code slow}; not divided by the speed. */
  public SimulatorOptions withSlow(Duration duration) {
    return with(changed -> changed.slow = duration);
  }

  public SimulatorOptions withColdStart(ColdStart.Settings settings) {
    return with(changed -> changed.coldStart = settings);
  }

  /**
   * Resembles a provider. Limits, key and models stay, but Azure's refusals also state the wait in
   * milliseconds, as Azure does.
   */
  public SimulatorOptions like(Provider other) {
    return with(changed -> {
      changed.provider = other;
      if (other == Provider.AZURE) {
        changed.rateLimit = rateLimit.withRetryAfter(RateLimit.RetryAfter.MILLIS);
      }
    });
  }

  /** The required key, or null to accept any. */
  public SimulatorOptions withApiKey(@Nullable String key) {
    return with(changed -> changed.apiKey = key);
  }

  /** The models of the endpoint, or null for those of the provider. */
  public SimulatorOptions withModels(@Nullable Set<String> names) {
    Set<String> copy = names == null ? null : Set.copyOf(names);
    return with(changed -> changed.models = copy);
  }

  public SimulatorOptions withRateLimit(RateLimit limit) {
    return with(changed -> changed.rateLimit = limit);
  }

  /** The balance of the account in USD, or null for no limit. */
  public SimulatorOptions withQuota(@Nullable Double usd) {
    return with(changed -> changed.quotaUsd = usd);
  }

  /** The context window of all chat models in tokens; 0 for that of each model. */
  public SimulatorOptions withContextTokens(int tokens) {
    require(tokens >= 0, "the context must not be negative");
    return with(changed -> changed.contextTokens = tokens);
  }

  /** The text that the content filter refuses, or null. */
  public SimulatorOptions withFiltered(@Nullable String text) {
    return with(changed -> changed.filtered = text);
  }
}
