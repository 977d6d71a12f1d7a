package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.FaultRates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Options of a simulated endpoint. Start from {@link #DEFAULTS} and change single options.
 *
 * @param answers answers files (JSON Lines); without any, every document is unknown
 * @param host address to listen on
 * @param port port to listen on; 0 means any free port
 * @param speed divides every wait; {@link Double#POSITIVE_INFINITY} means no wait
 * @param latency fixed latency of every call instead of the modelled one, or null; also divided by
 *     {@code speed}
 * @param seed seed of all random effects
 * @param apiKey the required key, or null to accept any
 * @param stall how long a stalled call waits; not divided by {@code speed}
 */
public record SimulatorOptions(
    List<Path> answers,
    String host,
    int port,
    double speed,
    @Nullable Duration latency,
    FaultRates faults,
    long seed,
    @Nullable String apiKey,
    Duration stall) {

  /** Loopback, a free port, modelled latency, no faults, any key. */
  public static final SimulatorOptions DEFAULTS =
      new SimulatorOptions(
          List.of(), "127.0.0.1", 0, 1.0, null, FaultRates.NONE, 42, null, Duration.ofMinutes(10));

  public SimulatorOptions {
    answers = List.copyOf(answers);
    if (!(speed > 0)) {
      throw new IllegalArgumentException("speed must be above 0, not " + speed);
    }
    if (port < 0 || port > 65535) {
      throw new IllegalArgumentException("port must be from 0 to 65535, not " + port);
    }
    if (latency != null && latency.isNegative()) {
      throw new IllegalArgumentException("latency must not be negative");
    }
  }

  public SimulatorOptions withAnswers(Path... files) {
    return new SimulatorOptions(
        List.of(files), host, port, speed, latency, faults, seed, apiKey, stall);
  }

  public SimulatorOptions withAnswers(List<Path> files) {
    return new SimulatorOptions(files, host, port, speed, latency, faults, seed, apiKey, stall);
  }

  public SimulatorOptions withHost(String name) {
    return new SimulatorOptions(answers, name, port, speed, latency, faults, seed, apiKey, stall);
  }

  public SimulatorOptions withPort(int number) {
    return new SimulatorOptions(answers, host, number, speed, latency, faults, seed, apiKey, stall);
  }

  public SimulatorOptions withSpeed(double factor) {
    return new SimulatorOptions(answers, host, port, factor, latency, faults, seed, apiKey, stall);
  }

  /** A fixed latency, or the modelled one if null. */
  public SimulatorOptions withLatency(@Nullable Duration duration) {
    return new SimulatorOptions(answers, host, port, speed, duration, faults, seed, apiKey, stall);
  }

  public SimulatorOptions withFaults(FaultRates rates) {
    return new SimulatorOptions(answers, host, port, speed, latency, rates, seed, apiKey, stall);
  }

  public SimulatorOptions withSeed(long number) {
    return new SimulatorOptions(answers, host, port, speed, latency, faults, number, apiKey, stall);
  }

  /** The required key, or null to accept any. */
  public SimulatorOptions withApiKey(@Nullable String key) {
    return new SimulatorOptions(answers, host, port, speed, latency, faults, seed, key, stall);
  }

  public SimulatorOptions withStall(Duration duration) {
    return new SimulatorOptions(
        answers, host, port, speed, latency, faults, seed, apiKey, duration);
  }
}
