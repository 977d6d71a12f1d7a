package dev.abacus.deploy.command;

import dev.abacus.optimizer.OptimizerConfig;
import dev.abacus.optimizer.OptimizerService;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code abacus optimizer}. */
@Command(
    name = "optimizer",
    description = {
      "The control plane: samples implementations, and chooses a plan for every program. It calls no",
      "model and needs no key. Any of its settings can be given with -X."
    },
    footer = {"%nExample:", "  abacus optimizer --bootstrap-server localhost:9092"})
final class OptimizerCommand implements Runnable {

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Map<String, Object> properties = new HashMap<>(kafka.settings());
    if (programs.modelsFile() != null) {
      properties.putIfAbsent(OptimizerConfig.MODEL_CATALOGUE, programs.modelsFile().toString());
    }
    OptimizerConfig config = new OptimizerConfig(properties);
    kafka.connect();
    OptimizerService service = OptimizerService.start(config);
    Termination.closeAtEnd(service);
    output.note(
        "optimizer runs against %s; Ctrl-C stops"
            .formatted(kafka.settings().get("bootstrap.servers")));
    Termination.await();
  }
}
