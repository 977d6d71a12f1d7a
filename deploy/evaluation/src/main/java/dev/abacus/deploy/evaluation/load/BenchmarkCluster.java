package dev.abacus.deploy.evaluation.load;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.topology.live.DocumentServices;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.live.Partitions;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * A broker in this process with the topics of a benchmark, and a folder for what runs beside it.
 */
public final class BenchmarkCluster implements AutoCloseable {

  /** A longer time without results means a failure. */
  public static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final int partitions;
  private final DataFolder folder = DataFolder.of(null, "bench");
  private final LocalKafka kafka = LocalKafka.start();
  private final KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
  private final TopicCreation creation;

  /**
   * Starts a broker and creates the topics that all programs share.
   *
   * @param partitions partitions of each source topic
   */
  public BenchmarkCluster(int partitions) {
    this.partitions = partitions;
    this.creation = new TopicCreation(partitions, 1);
    var _ = creation.createShared(connection);
  }

  public KafkaConnection connection() {
    return connection;
  }

  /** Returns the folder, which is removed in the end. */
  public Path folder() {
    return folder.path();
  }

  /** Creates the topics of a program. */
  public void create(BenchmarkProgram program) {
    var _ = creation.create(connection, program.program());
  }

  /** Creates the topics of a program, and publishes it with its first plan. */
  public PlanPublisher start(BenchmarkProgram program) {
    create(program);
    return PlanPublisher.begin(connection, program);
  }

  /**
   * As above, for workers with these properties: with {@code group.protocol=streams} the brokers
   * decide after which time a worker is dead, and get the {@code session.timeout.ms} of the
   * workers.
   */
  public PlanPublisher start(BenchmarkProgram program, Map<String, String> properties) {
    String timeout = properties.get("session.timeout.ms");
    if ("streams".equals(properties.get("group.protocol")) && timeout != null) {
      String group = connection.names().application(program.program().name());
      AlterConfigOp set =
          new AlterConfigOp(
              new ConfigEntry("streams.session.timeout.ms", timeout), AlterConfigOp.OpType.SET);
      var _ =
          connection.administer(
              "the session timeout was not set",
              admin ->
                  get(
                      admin
                          .incrementalAlterConfigs(
                              Map.of(
                                  new ConfigResource(ConfigResource.Type.GROUP, group),
                                  List.of(set)))
                          .all()));
    }
    return start(program);
  }

  /**
   * Creates a worker of one program in this process, with one stream thread. It is not started.
   *
   * @param worker distinguishes the workers of a program
   */
  public KafkaStreams worker(
      BenchmarkProgram program, DocumentServices services, int inFlight, String worker) {
    RuntimeSettings settings = RuntimeSettings.defaults().withPendingBound(2 * inFlight);
    Topology topology =
        DocumentTopology.of(
            program.program(),
            services,
            settings,
            RuntimeServices.of(inFlight).withProgram(program.program().name()),
            Partitions.each(program.program(), partitions));
    StreamsSettings streams =
        new StreamsSettings(
            program.program().name(),
            kafka.bootstrapServers(),
            folder.path().resolve(worker).toString(),
            1,
            64L * 1024 * 1024,
            settings.recordLimit(),
            Map.of("auto.offset.reset", "earliest"));
    return new KafkaStreams(topology, streams.toProperties());
  }

  @Override
  public void close() {
    kafka.close();
    folder.close();
  }
}
