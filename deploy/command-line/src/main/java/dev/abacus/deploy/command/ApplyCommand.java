package dev.abacus.deploy.command;

import dev.abacus.deploy.operate.KafkaConnection;
import dev.abacus.deploy.operate.TopicCreation;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Source;
import dev.abacus.schemas.topic.TopicSpec;
import java.nio.file.Path;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus apply}. */
@Command(
    name = "apply",
    description = "Make a program desired state: workers start it, the optimizer plans it.",
    footer = {
      "%nExample:",
      "  abacus apply program.yaml --bootstrap-server localhost:9092 --create-topics"
    })
final class ApplyCommand implements Runnable {

  @Parameters(paramLabel = "PROGRAM.yaml", description = "YAML or JSON.")
  private Path file = Path.of("");

  @Option(names = "--create-topics", description = "Create topics that are missing.")
  private boolean createTopics;

  @Mixin private TopicOptions topics = new TopicOptions();
  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = programs.read(file);
    var control = kafka.control(programs.catalogue());
    KafkaConnection connection = kafka.connection();
    TopicCreation creation = topics.creation();
    if (createTopics) {
      creation.create(connection, TopicSpec.shared());
      creation.create(connection, creation.of(program));
    } else {
      connection.requireTopics(program.sources().stream().map(Source::topic).toList());
    }
    control.write(new ControlRecord.ProgramSet(program));
    if (output.json()) {
      output.value(Map.of("applied", program.name()));
    } else {
      output.line(program.name() + " is applied");
    }
  }
}
