package dev.abacus.deploy.simulator;

import dev.abacus.deploy.simulator.fault.FaultRates;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How a simulated endpoint is set up. Start from {@link #DEFAULTS} and change what is needed.
 *
 * @param answers answers files (JSON Lines); without any, every document is unknown
 * @param host address to listen on
 * @param port port to listen on, 0 for any free one
 * @param speed divides all waiting (1 is the models' own pace); {@link Double#POSITIVE_INFINITY}
 *     for no waiting
 * @param latency fixed latency of every call in place of the modelled one, or null; divided by
 *     {@code speed} too
 * @param faults rates of faults
 * @param seed of all chance: another seed is another world of lucky and unlucky documents
 * @param apiKey the key that calls must carry, or null to accept any
 * @param stall how long a stalled call is held (not divided by {@code speed})
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

  /** Loopback, a free port, the models' own pace, no faults, any key. */
  public static final SimulatorOptions DEFAULTS =
      new SimulatorOptions(
          List.of(), "127.0.0.1", 0, 1.0, null, FaultRates.NONE, 42, null, Duration.ofMinutes(10));

  /** Copies and checks. */
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

  /** With these answers files. */
  public SimulatorOptions withAnswers(Path... files) {
    return new SimulatorOptions(
        List.of(files), host, port, speed, latency, faults, seed, apiKey, stall);
  }

  /** With these answers files. */
  public SimulatorOptions withAnswers(List<Path> files) {
    return new SimulatorOptions(files, host, port, speed, latency, faults, seed, apiKey, stall);
  }

  /** Listening on another address. */
  public SimulatorOptions withHost(String name) {
    return new SimulatorOptions(answers, name, port, speed, latency, faults, seed, apiKey, stall);
  }

  /** Listening on another port. */
  public SimulatorOptions withPort(int number) {
    return new SimulatorOptions(answers, host, number, speed, latency, faults, seed, apiKey, stall);
  }

  /** At another speed. */
  public SimulatorOptions withSpeed(double factor) {
    return new SimulatorOptions(answers, host, port, factor, latency, faults, seed, apiKey, stall);
  }

  /** With a fixed latency, or with the modelled one if null. */
  public SimulatorOptions withLatency(@Nullable Duration duration) {
    return new SimulatorOptions(answers, host, port, speed, duration, faults, seed, apiKey, stall);
  }

  /** With other rates of faults. */
  public SimulatorOptions withFaults(FaultRates rates) {
    return new SimulatorOptions(answers, host, port, speed, latency, rates, seed, apiKey, stall);
  }

  /** With another seed. */
  public SimulatorOptions withSeed(long number) {
    return new SimulatorOptions(answers, host, port, speed, latency, faults, number, apiKey, stall);
  }

  /** With a key that calls must carry, or with none if null. */
  public SimulatorOptions withApiKey(@Nullable String key) {
    return new SimulatorOptions(answers, host, port, speed, latency, faults, seed, key, stall);
  }

  /** With another length of stalls. */
  public SimulatorOptions withStall(Duration duration) {
    return new SimulatorOptions(
        answers, host, port, speed, latency, faults, seed, apiKey, duration);
  }
}
