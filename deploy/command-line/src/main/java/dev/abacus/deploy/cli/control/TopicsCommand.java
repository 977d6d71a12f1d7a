package dev.abacus.deploy.cli.control;

import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.TopicOptions;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code abacus topics}. */
@Command(
    name = "topics",
    description = "Manage the topics of the product and of programs.",
    subcommands = TopicsCommand.Create.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"%nExample:", "  abacus topics create program.yaml --partitions 8"})
public final class TopicsCommand {

  /** {@code abacus topics create}. */
  @Command(
      name = "create",
      description =
          "Create missing topics: control, rejections, status, and each program's topics.",
      footer = {
        "%nExample:",
        "  abacus topics create program.yaml --partitions 8 --bootstrap-server localhost:9092"
      })
  static final class Create implements Runnable {

    @Parameters(arity = "0..*", paramLabel = "PROGRAM.yaml", description = "Programs.")
    private List<Path> files = List.of();

    @Mixin private TopicOptions topics = new TopicOptions();
    @Mixin private ProgramOptions programs = new ProgramOptions();
    @Mixin private KafkaOptions kafka = new KafkaOptions();
    @Mixin private Output output = new Output();

    @Override
    public void run() {
      TopicCreation creation = topics.creation();
      List<Program> read = files.stream().map(programs::read).toList();
      KafkaConnection connection = kafka.connect();
      connection.requireAccess(Role.TOPICS_CREATE, read);
      List<TopicSpec> shared = TopicSpec.shared(connection.names());
      List<String> created = new ArrayList<>(creation.create(connection, shared));
      int wanted = shared.size();
      for (Program program : read) {
        created.addAll(creation.create(connection, program));
        wanted += creation.of(connection.names(), program).size() + program.references().size();
      }
      if (output.json()) {
        output.value(Map.of("created", created));
      } else {
        created.stream().sorted().forEach(topic -> output.line("created " + topic));
        output.line("%d created, %d were there".formatted(created.size(), wanted - created.size()));
      }
    }
  }
}
