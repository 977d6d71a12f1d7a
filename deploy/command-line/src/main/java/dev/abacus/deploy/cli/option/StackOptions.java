package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.local.LocalPart;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.truth.AnswersFileException;
import dev.abacus.schemas.program.Program;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options of a local stack. */
public final class StackOptions {

  private static final int HIGHEST_PORT_BASE = 65_000;

  @Option(
      names = "--port-base",
      paramLabel = "PORT",
      description =
          "Kafka's port; registry, simulated models and page use the next three (default: any free ports).")
  private int portBase;

  @Option(
      names = "--data",
      paramLabel = "DIR",
      description = "Folder for all data, reused at the next start (default: temporary).")
  private @Nullable Path data;

  @Option(
      names = "--model-endpoint",
      paramLabel = "URL",
      description =
          "Use real models: an OpenAI-compatible API with the key in OPENAI_API_KEY. Setting "
              + "both OPENAI_BASE_URL and OPENAI_API_KEY has the same effect; for `run`, "
              + "OPENAI_API_KEY alone means https://api.openai.com/v1.")
  private @Nullable URI endpoint;

  @Option(
      names = "--answers",
      paramLabel = "FILE",
      description = "Ground truth for simulated models, JSON Lines; may be repeated.")
  private List<Path> answers = List.of();

  @Option(
      names = "--speed",
      paramLabel = "X",
      description = "Speed factor of simulated models; 1 is real time.")
  private @Nullable Double speed;

  @Option(
      names = "--faults",
      paramLabel = "KIND=RATE,…",
      description = "Faults of simulated models, such as 429=0.05,500=0.01.")
  private String faults = "";

  public boolean hasAnswers() {
    return !answers.isEmpty();
  }

  /** The real endpoint; null for simulated models. A key without an address is ignored. */
  public @Nullable ModelEndpoint models() {
    // --answers selects simulated models, whatever the environment says.
    return hasAnswers() && endpoint == null ? null : ModelEndpoint.of(endpoint, System.getenv());
  }

  /** Whether models are simulated, and no file tells them the answers. */
  public boolean isWithoutAnswers() {
    return !hasAnswers() && models() == null;
  }

  /** Whether only the key in the environment selects real models. */
  public boolean isOpenAiByKeyAlone() {
    return models() == null && modelsOrOpenAi() != null;
  }

  /** Like {@link #models}, but a key without an address selects OpenAI. */
  public @Nullable ModelEndpoint modelsOrOpenAi() {
    return hasAnswers() && endpoint == null
        ? null
        : ModelEndpoint.orOpenAi(endpoint, System.getenv());
  }

  /**
   * Simulated models, unless options say otherwise.
   *
   * @param known files with the answers that they know, without --answers
   * @param pace their speed, without --speed
   */
  public record Simulation(List<Path> known, double pace) {}

  /**
   * Starts the stack, after it has tried the endpoint.
   *
   * @param models the real endpoint; null for simulated models
   * @param catalogue the models
   * @param programs what will run; each needs a model that can be called
   * @throws CommandFailure if the endpoint cannot be used, or an option is wrong
   */
  public LocalStack start(
      @Nullable ModelEndpoint models,
      Simulation simulation,
      PlaneSettings planes,
      boolean registry,
      ProgramOptions catalogue,
      List<Program> programs,
      Consumer<String> progress) {
    if (!LocalPart.isInstalled()) {
      throw CommandFailure.failed(
          "a local stack needs a Kafka broker and simulated models, which are not installed",
          LocalPart.REMEDY);
    }
    CommandFailure.require(
        portBase >= 0 && portBase <= HIGHEST_PORT_BASE,
        "--port-base is " + portBase,
        "Give a port from 1024 to 65000, or 0 for any free ones.");
    try {
      if (models != null) {
        new EndpointTrial(catalogue.catalogue(), models).require(programs, progress);
      }
      SimulatorOptions simulator =
          SimulatorOptions.DEFAULTS
              .withAnswers(hasAnswers() ? answers : simulation.known())
              .withSpeed(speed == null ? simulation.pace() : speed)
              .withFaults(FaultRates.parse(faults));
      return Launch.start(
          LocalStack.Settings.defaults()
              .withPortBase(portBase)
              .withData(data)
              .withEndpoint(models == null ? null : models.uri())
              .withKey(models == null ? null : models.key())
              .withSimulator(simulator)
              .withRegistry(registry)
              .withCatalogue(catalogue.modelsFile())
              .withPlanes(planes),
          part -> progress.accept("started " + part));
    } catch (IllegalArgumentException e) {
      throw CommandFailure.invalid(
          String.valueOf(e.getMessage()), "`--help` shows what can be given.");
    }
  }

  /** A class of its own, because the JVM loads types of exceptions when it verifies a class. */
  private static final class Launch {

    private Launch() {}

    static LocalStack start(LocalStack.Settings settings, Consumer<String> progress) {
      try {
        return LocalStack.start(settings, progress);
      } catch (AnswersFileException e) {
        throw CommandFailure.invalid(
            String.valueOf(e.getMessage()), "Correct the file, or name another with --answers.");
      }
    }
  }
}
