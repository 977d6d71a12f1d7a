package dev.abacus.deploy.command;

import dev.abacus.deploy.operate.KafkaConnection;
import dev.abacus.deploy.operate.TopicCreation;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.Map;
import org.apache.kafka.clients.admin.NewTopic;
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
      TopicCreation.create(connection, creation.shared());
      TopicCreation.create(connection, creation.of(program));
    } else {
      connection.requireTopics(creation.of(program).stream().map(NewTopic::name).toList());
    }
    control.write(new ControlRecord.ProgramSet(program));
    if (output.json()) {
      output.value(Map.of("applied", program.name()));
    } else {
      output.line(program.name() + " is applied");
    }
  }
}
