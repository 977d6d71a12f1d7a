package dev.abacus.deploy.cli.control;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.option.TopicOptions;
import dev.abacus.deploy.cluster.AsyncApiDocument;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.StrimziManifests;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.schemas.access.Role;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.result.ResultSchema;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus topics}. */
@Command(
    name = "topics",
    description = "Create or describe the topics of the product and of programs.",
    subcommands = {
      TopicsCommand.Create.class,
      TopicsCommand.Strimzi.class,
      TopicsCommand.AsyncApi.class
    },
    synopsisSubcommandLabel = "COMMAND",
    footer = "  abacus topics create program.yaml --partitions 8")
public final class TopicsCommand {

  /** {@code abacus topics create}. */
  @Command(
      name = "create",
      description =
          "Create missing topics: control, rejections, status, and each program's topics.",
      footer =
          "  abacus topics create program.yaml --partitions 8 --bootstrap-server localhost:9092")
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
      KafkaNames names = KafkaNames.of(kafka.settings());
      read.forEach(program -> ProgramOptions.checkTopics(program, List.of(), names));
      KafkaConnection connection = kafka.connect();
      connection.requireAccess(Role.TOPICS_CREATE, read);
      List<TopicSpec> shared = TopicSpec.shared(names);
      List<String> created = new ArrayList<>(creation.create(connection, shared));
      int wanted = shared.size();
      for (Program program : read) {
        created.addAll(creation.create(connection, program));
        wanted += creation.of(names, program).size() + program.references().size();
      }
      List<String> lines = new ArrayList<>();
      created.stream().sorted().forEach(topic -> lines.add("created " + topic));
      lines.add("%d created, %d were there".formatted(created.size(), wanted - created.size()));
      output.data(Map.of("created", created), lines);
    }
  }

  /** {@code abacus topics strimzi}. */
  @Command(
      name = "strimzi",
      description =
          "Print the topics of programs as KafkaTopics of Strimzi, and what workers and optimizers "
              + "may do as KafkaUsers.",
      footer = "  abacus topics strimzi program.yaml --cluster my-cluster > abacus-kafka.yaml")
  static final class Strimzi implements Runnable {

    @Parameters(arity = "1..*", paramLabel = "PROGRAM.yaml", description = "Programs.")
    private List<Path> files = List.of();

    @Option(
        names = "--cluster",
        paramLabel = "NAME",
        required = true,
        description = "Name of the Kafka resource of the cluster.")
    private String cluster = "";

    @Mixin private TopicOptions topics = new TopicOptions();
    @Mixin private ProgramOptions programs = new ProgramOptions();
    @Mixin private KafkaOptions kafka = new KafkaOptions();
    @Mixin private Output output = new Output();

    @Override
    public void run() {
      TopicCreation creation = topics.creation();
      List<ObjectNode> resources =
          new StrimziManifests(
                  KafkaNames.of(kafka.settings()),
                  cluster,
                  creation.partitions(),
                  creation.replication())
              .of(files.stream().map(programs::read).toList());
      output.data(Map.of("apiVersion", "v1", "kind", "List", "items", resources), yaml(resources));
    }
  }

  /** {@code abacus topics asyncapi}. */
  @Command(
      name = "asyncapi",
      description =
          "Print the topics that other clients of a program write and read as an AsyncAPI 3.0 document.",
      footer = "  abacus topics asyncapi program.yaml > asyncapi.yaml")
  static final class AsyncApi implements Runnable {

    @Parameters(paramLabel = "PROGRAM.yaml", description = "The program.")
    private @Nullable Path file;

    @Mixin private ProgramOptions programs = new ProgramOptions();
    @Mixin private KafkaOptions kafka = new KafkaOptions();
    @Mixin private Output output = new Output();

    @Override
    public void run() {
      Program program = programs.read(Objects.requireNonNull(file));
      Map<String, String> settings = kafka.settings();
      ObjectNode document =
          AsyncApiDocument.of(program, sources(program, settings), KafkaNames.of(settings));
      output.data(document, yaml(List.of(document)));
    }

    /** The schemas of the Avro sources; none without a registry. */
    private static Map<String, Schema> sources(Program program, Map<String, String> settings) {
      try (AvroValues avro = AvroValues.connect(settings)) {
        return avro == null ? Map.of() : ResultSchema.ofSources(program, avro.schemas());
      } catch (RegistryException e) {
        throw CommandFailure.failed(
            "the schemas of the sources cannot be read: " + e.getMessage(),
            "Check --schema-registry, or leave it out to describe the program without them.",
            e);
      }
    }
  }

  /** YAML documents, one after the other. */
  private static String yaml(List<ObjectNode> documents) {
    DumpSettings settings =
        DumpSettings.builder()
            .setDefaultFlowStyle(FlowStyle.BLOCK)
            .setExplicitStart(documents.size() > 1)
            .build();
    JsonMapper mapper = new JsonMapper();
    return new Dump(settings)
        .dumpAllToString(
            documents.stream().map(each -> mapper.convertValue(each, Object.class)).iterator())
        .stripTrailing();
  }
}
