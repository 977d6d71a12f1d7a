package dev.abacus.deploy.cli.run;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.PriorsFile;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicWriter;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.optimizer.api.OptimizerService;
import dev.abacus.optimizer.api.ProgramPriors;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus optimizer}. */
@Command(
    name = "optimizer",
    description = {
      "Run the control plane: samples implementations and chooses a plan for every program.",
      "Calls no model and needs no key. Set any of its settings with -X."
    },
    footer = "  abacus optimizer --bootstrap-server localhost:9092")
public final class OptimizerCommand implements Runnable {

  @Option(
      names = "--priors",
      split = ",",
      paramLabel = "SOURCE",
      description =
          "Sources of priors, the most trusted first: learnt (measurements of other programs "
              + "on the cluster), naive (published model data), none; default: learnt. A user's "
              + "priors always come first; PROGRAM=PRIORS.json sets them. May be repeated.")
  private List<String> priors = List.of();

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Map<String, Object> properties = new HashMap<>(kafka.settings());
    if (programs.modelsFile() != null) {
      properties.put(OptimizerConfig.MODEL_CATALOGUE, programs.modelsFile().toString());
    }
    Map<String, Path> given = given();
    List<String> sources = priors.stream().filter(source -> !source.contains("=")).toList();
    if (!sources.isEmpty()) {
      properties.put(
          OptimizerConfig.PRIORS,
          sources.stream()
              .filter(source -> !source.equals(PriorsFile.NONE))
              .collect(Collectors.joining(",")));
    }
    OptimizerConfig config = new OptimizerConfig(properties);
    KafkaConnection connection = kafka.checkPlane(Role.OPTIMIZER, config.catalogue());
    give(given, connection, config.catalogue());
    try (Termination stop = Termination.onSignal();
        OptimizerService service = OptimizerService.start(config)) {
      output.note(
          "optimizer runs against %s; Ctrl-C stops"
              .formatted(kafka.settings().get("bootstrap.servers")));
      stop.awaitEnd(service.failure().thenApply(reason -> "the optimizer ended: " + reason));
    }
  }

  /** Priors files by program. */
  private Map<String, Path> given() {
    Map<String, Path> given = new TreeMap<>();
    for (String one : priors) {
      int equals = one.indexOf('=');
      if (equals >= 0) {
        Path file = Path.of(one.substring(equals + 1));
        try {
          ProgramPriors.check(ProgramOptions.text(file));
        } catch (IllegalArgumentException e) {
          throw CommandFailure.invalid(
              "%s: %s".formatted(file, e.getMessage()), "Correct the file that --priors names.");
        }
        given.put(one.substring(0, equals), file);
      }
    }
    return given;
  }

  private void give(Map<String, Path> given, KafkaConnection connection, ModelCatalogue catalogue) {
    if (given.isEmpty()) {
      return;
    }
    new TopicCreation(1, 0).createShared(connection);
    ControlState state = kafka.control(catalogue).read();
    given.forEach((name, file) -> {
      Program program = state.program(name);
      String text =
          program == null
              ? ProgramOptions.text(file)
              : PriorsFile.read(file, program, catalogue, output);
      TopicWriter.givePriors(connection, name, text);
    });
  }
}
