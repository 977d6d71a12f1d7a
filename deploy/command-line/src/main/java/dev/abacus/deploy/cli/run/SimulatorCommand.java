package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import java.io.IOException;
import java.net.BindException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus simulator}. */
@Command(
    name = "simulator",
    description = {
      "Run a simulated OpenAI-compatible endpoint.",
      "It knows the answers to the given documents and makes errors like models of each kind. "
          + "It costs nothing and states that it is simulated."
    },
    footer = {
      "  abacus simulator --answers deploy/examples/support-triage/answers.jsonl --port 8090",
      "  abacus simulator --like openai --api-key sk-test --requests-per-minute 500 --quota 5"
    })
public final class SimulatorCommand implements Runnable {

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description = "Known documents with their answers, JSON Lines; may be repeated.")
  private List<Path> answers = List.of();

  @Option(names = "--host", description = "Address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      description = "Port to listen on; 0 for any free port (default: ${DEFAULT-VALUE}).")
  private int port = 8090;

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "1",
      description = "Speed factor; 1 is real time (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(
      names = "--faults",
      paramLabel = "KIND=RATE,…",
      description =
          "Faults per call, such as 429=0.05,500=0.01,gpt-4o:stall=0.001; the kinds are 429, "
              + "capacity (of flex), 500, stall, cut, malformed, empty, slow.")
  private String faults = "";

  @Option(names = "--seed", description = "Seed of the random numbers.")
  private long seed = 42;

  @Mixin private EndpointOptions endpoint = new EndpointOptions();

  @Mixin private Output output = new Output();

  @Override
  public void run() {
    try (SimulatedEndpoint started = start()) {
      output.data(
          Map.of(
              "modelEndpoint", started.baseUri().toString(),
              "simulated", true,
              "knownDocuments", started.knownDocuments()),
          "simulated models at %s, %d known documents; Ctrl-C stops"
              .formatted(started.baseUri(), started.knownDocuments()));
      Termination.await();
    }
  }

  private SimulatedEndpoint start() {
    try {
      return SimulatedEndpoint.start(
          endpoint.apply(
              SimulatorOptions.DEFAULTS
                  .withAnswers(answers)
                  .withHost(host)
                  .withPort(port)
                  .withSpeed(speed)
                  .withSeed(seed)
                  .withFaults(FaultRates.parse(faults))));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.invalid(
          String.valueOf(e.getMessage()), "`abacus simulator --help` shows what can be given.");
    } catch (AnswersFileException e) {
      throw CommandFailure.invalid(
          String.valueOf(e.getMessage()), "Correct the file, or name another with --answers.");
    } catch (BindException e) {
      throw CommandFailure.failed(
          "port %d is taken".formatted(port), "Choose another with --port, or 0 for any.", e);
    } catch (IOException e) {
      throw CommandFailure.failed(
          "the simulator did not start: " + e.getMessage(), "Check --host and --port.", e);
    }
  }
}
