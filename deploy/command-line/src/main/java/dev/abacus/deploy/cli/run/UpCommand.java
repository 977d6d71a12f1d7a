package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.StackOptions;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.local.LocalRegistry;
import dev.abacus.deploy.local.LocalStack;
import dev.abacus.deploy.local.PlaneSettings;
import dev.abacus.optimizer.api.OptimizerConfig;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.journey.JourneySettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus up}. */
@Command(
    name = "up",
    description = {
      "Start a local stack and keep it running: Kafka, registry, models (simulated unless an "
          + "endpoint is set), worker, optimizer.",
      "Applies the given programs."
    },
    footer = "  abacus up program.yaml --port-base 19092 --data ~/abacus-data")
public final class UpCommand implements Runnable {

  /** A page, and the journey of each document: both stay on this machine. */
  private static final Map<String, String> DEFAULTS =
      Map.of(OptimizerConfig.PAGE_LISTENER, "127.0.0.1:0", JourneySettings.SHARE, "1");

  @Parameters(arity = "0..*", paramLabel = "PROGRAM.yaml", description = "Programs.")
  private List<Path> files = List.of();

  @Option(
      names = "--program",
      paramLabel = "PROGRAM.yaml",
      description = "A program; may be repeated.")
  private List<Path> more = List.of();

  @Option(
      names = "-X",
      paramLabel = "KEY=VALUE",
      description =
          "A setting of the worker, the optimizer or Kafka's clients (docs/settings.md); may be repeated.")
  private Map<String, String> settings = new LinkedHashMap<>();

  @Mixin private StackOptions stackOptions = new StackOptions();
  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Map<String, String> given = new HashMap<>(DEFAULTS);
    given.putAll(settings);
    PlaneSettings planes = PlaneSettings.of(given);
    if (stackOptions.isWithoutAnswers()) {
      output.note(
          "simulated models know no document, so their answers are arbitrary; --answers FILE teaches them,"
              + " --model-endpoint URL selects real ones");
    }
    List<Path> all = new ArrayList<>(files);
    all.addAll(more);
    List<Program> wanted = all.stream().map(programs::read).toList();
    try (LocalStack stack =
        stackOptions.start(
            stackOptions.models(),
            new StackOptions.Simulation(List.of(), 1),
            planes,
            LocalRegistry.isInstalled(),
            programs,
            wanted,
            output::note)) {
      ControlTopic control = new ControlTopic(stack.connection(), programs.catalogue());
      for (Program program : wanted) {
        stack.createTopics(program);
        boolean changed = control.apply(control.read(), program);
        output.note((changed ? "applied " : "unchanged: ") + program.name());
      }
      output.data(json(stack), lines(stack));
      try (Termination stop = Termination.onSignal()) {
        stop.awaitEnd(stack.failure());
      }
    }
  }

  private static List<String> lines(LocalStack stack) {
    return List.of(
        "bootstrap server  " + stack.connection().bootstrapServers(),
        "schema registry   "
            + Objects.requireNonNullElse(
                stack.registryUrl(), "none: it is part of a checkout of the project"),
        "model endpoint    "
            + stack.modelEndpoint()
            + (stack.simulated() ? " (SIMULATED models)" : ""),
        "page              " + stack.pageUrl(),
        "metrics, health   %1$smetrics, %1$shealth/live, %1$shealth/ready"
            .formatted(stack.pageUrl()),
        "token for changes " + stack.pageToken(),
        "Ctrl-C stops everything");
  }

  /** The addresses of the services. */
  static ObjectNode json(LocalStack stack) {
    return JsonNodeFactory.instance
        .objectNode()
        .put("bootstrapServers", stack.connection().bootstrapServers())
        .put("registryUrl", stack.registryUrl())
        .put("modelEndpoint", stack.modelEndpoint().toString())
        .put("dashboardUrl", stack.pageUrl())
        .put("dashboardToken", stack.pageToken())
        .put("metricsUrl", stack.pageUrl() == null ? null : stack.pageUrl() + "metrics")
        .put("healthUrl", stack.pageUrl() == null ? null : stack.pageUrl() + "health/ready")
        .put("simulated", stack.simulated());
  }
}
