package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.option.TopicOptions;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus apply}. */
@Command(
    name = "apply",
    description = "Apply a program: workers start it, the optimizer searches a plan.",
    footer = {
      "%nExample:",
      "  abacus apply program.yaml --bootstrap-server localhost:9092 --create-topics"
    })
public final class ApplyCommand implements Runnable {

  @Mixin private ProgramFile file = new ProgramFile();

  @Option(names = "--create-topics", description = "Create missing topics.")
  private boolean createTopics;

  @Mixin private TopicOptions topics = new TopicOptions();
  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = file.read();
    var control = kafka.control(file.catalogue());
    KafkaConnection connection = kafka.connection();
    TopicCreation creation = topics.creation();
    if (createTopics) {
      creation.create(connection, TopicSpec.shared());
      creation.create(connection, creation.of(program));
    } else {
      connection.requireTopics(program.sources().stream().map(Source::topic).toList());
    }
    control.write(new ControlRecord.ProgramSet(program));
    output.data(Map.of("applied", program.name()), program.name() + " is applied");
  }
}
