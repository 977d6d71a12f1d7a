package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.ColdStart;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Options of a simulated endpoint. Start from {@link #DEFAULTS} and change single options.
 *
 * @param answers answers files (JSON Lines); without any, every document is unknown
 * @param host address to listen on
 * @param port port to listen on; 0 means any free port
 * @param pace how long calls take
 * @param faults probabilities of faults
 * @param seed seed of all random effects
 * @param access what the endpoint admits
 */
public record SimulatorOptions(
    List<Path> answers,
    String host,
    int port,
    Pace pace,
    FaultRates faults,
    long seed,
    Access access) {

  /** Loopback, a free port, modelled latency, no faults, no limits, any key. */
  public static final SimulatorOptions DEFAULTS =
      new SimulatorOptions(
          List.of(), "127.0.0.1", 0, Pace.MODELLED, FaultRates.NONE, 42, Access.UNLIMITED);

  /**
   * How long calls take.
   *
   * @param speed divides modelled and fixed latencies; {@link Double#POSITIVE_INFINITY} means no
   *     wait
   * @param latency fixed latency of every call instead of the modelled one, or null
   * @param stall how long a stalled call waits; not divided by {@code speed}
   * @param slow latency of a call with the fault {@code slow}; not divided by {@code speed}
   * @param coldStart how models start
   */
  public record Pace(
      double speed,
      @Nullable Duration latency,
      Duration stall,
      Duration slow,
      ColdStart.Settings coldStart) {

    static final Pace MODELLED =
        new Pace(
            1.0, null, Duration.ofMinutes(10), Duration.ofSeconds(75), ColdStart.Settings.NONE);

    public Pace {
      if (!(speed > 0)) {
        throw new IllegalArgumentException("speed must be above 0, not " + speed);
      }
      if (latency != null && latency.isNegative()) {
        throw new IllegalArgumentException("latency must not be negative");
      }
    }
  }

  /**
   * What the endpoint admits.
   *
   * @param provider the provider that it resembles
   * @param apiKey the required key, or null to accept any
   * @param models the models that it has, or null for those of the provider
   * @param rateLimit limits per minute
   * @param quotaUsd balance of the account, or null for no limit
   * @param contextTokens context window of all chat models in tokens; 0 for that of each model
   * @param filtered text that the content filter refuses, or null
   */
  public record Access(
      Provider provider,
      @Nullable String apiKey,
      @Nullable Set<String> models,
      RateLimit rateLimit,
      @Nullable Double quotaUsd,
      int contextTokens,
      @Nullable String filtered) {

    static final Access UNLIMITED =
        new Access(Provider.PATIENT, null, null, RateLimit.NONE, null, 0, null);

    public Access {
      models = models == null ? null : Set.copyOf(models);
      if (contextTokens < 0) {
        throw new IllegalArgumentException("the context must not be negative");
      }
    }

    Access withRateLimit(RateLimit other) {
      return new Access(provider, apiKey, models, other, quotaUsd, contextTokens, filtered);
    }
  }

  public SimulatorOptions {
    answers = List.copyOf(answers);
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
    }
  }

  public SimulatorOptions withAnswers(Path... files) {
    return withAnswers(List.of(files));
  }

  public SimulatorOptions withAnswers(List<Path> files) {
    return new SimulatorOptions(files, host, port, pace, faults, seed, access);
  }

  public SimulatorOptions withHost(String name) {
    return new SimulatorOptions(answers, name, port, pace, faults, seed, access);
  }

  public SimulatorOptions withPort(int number) {
    return new SimulatorOptions(answers, host, number, pace, faults, seed, access);
  }

  public SimulatorOptions withSpeed(double factor) {
    return with(new Pace(factor, pace.latency, pace.stall, pace.slow, pace.coldStart));
  }

  /** A fixed latency, or the modelled one if null. */
  public SimulatorOptions withLatency(@Nullable Duration duration) {
    return with(new Pace(pace.speed, duration, pace.stall, pace.slow, pace.coldStart));
  }

  public SimulatorOptions withFaults(FaultRates rates) {
    return new SimulatorOptions(answers, host, port, pace, rates, seed, access);
  }

  public SimulatorOptions withSeed(long number) {
    return new SimulatorOptions(answers, host, port, pace, faults, number, access);
  }

  public SimulatorOptions withStall(Duration duration) {
    return with(new Pace(pace.speed, pace.latency, duration, pace.slow, pace.coldStart));
  }

  /** The latency of calls with the fault {@code slow}. */
  public SimulatorOptions withSlow(Duration duration) {
    return with(new Pace(pace.speed, pace.latency, pace.stall, duration, pace.coldStart));
  }

  public SimulatorOptions withColdStart(ColdStart.Settings settings) {
    return with(new Pace(pace.speed, pace.latency, pace.stall, pace.slow, settings));
  }

  /**
   * Resembles a provider. Limits, key and models stay, but Azure's refusals also state the wait in
   * milliseconds, as Azure does.
   */
  public SimulatorOptions like(Provider provider) {
    RateLimit limit =
        provider == Provider.AZURE
            ? access.rateLimit.withRetryAfter(RateLimit.RetryAfter.MILLIS)
            : access.rateLimit;
    return with(
        new Access(
            provider,
            access.apiKey,
            access.models,
            limit,
            access.quotaUsd,
            access.contextTokens,
            access.filtered));
  }

  /** The required key, or null to accept any. */
  public SimulatorOptions withApiKey(@Nullable String key) {
    return with(
        new Access(
            access.provider,
            key,
            access.models,
            access.rateLimit,
            access.quotaUsd,
            access.contextTokens,
            access.filtered));
  }

  /** The models of the endpoint, or null for those of the provider. */
  public SimulatorOptions withModels(@Nullable Set<String> names) {
    return with(
        new Access(
            access.provider,
            access.apiKey,
            names,
            access.rateLimit,
            access.quotaUsd,
            access.contextTokens,
            access.filtered));
  }

  public SimulatorOptions withRateLimit(RateLimit limit) {
    return with(access.withRateLimit(limit));
  }

  /** The balance of the account in USD, or null for no limit. */
  public SimulatorOptions withQuota(@Nullable Double usd) {
    return with(
        new Access(
            access.provider,
            access.apiKey,
            access.models,
            access.rateLimit,
            usd,
            access.contextTokens,
            access.filtered));
  }

  /** The context window of all chat models in tokens; 0 for that of each model. */
  public SimulatorOptions withContextTokens(int tokens) {
    return with(
        new Access(
            access.provider,
            access.apiKey,
            access.models,
            access.rateLimit,
            access.quotaUsd,
            tokens,
            access.filtered));
  }

  /** The text that the content filter refuses, or null. */
  public SimulatorOptions withFiltered(@Nullable String text) {
    return with(
        new Access(
            access.provider,
            access.apiKey,
            access.models,
            access.rateLimit,
            access.quotaUsd,
            access.contextTokens,
            text));
  }

  private SimulatorOptions with(Pace other) {
    return new SimulatorOptions(answers, host, port, other, faults, seed, access);
  }

  private SimulatorOptions with(Access other) {
    return new SimulatorOptions(answers, host, port, pace, faults, seed, other);
  }
}
