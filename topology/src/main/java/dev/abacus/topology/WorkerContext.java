package dev.abacus.topology;

import dev.abacus.schemas.access.RoleAccess;
import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.ProcessConfig;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.monitor.HttpListener;
import dev.abacus.schemas.monitor.MonitorServer;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.schemas.secret.ConfiguredSecrets;
import dev.abacus.schemas.secret.Redactor;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.model.openai.Endpoints;
import dev.abacus.topology.runtime.Commits;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.telemetry.Tracing;
import dev.abacus.topology.version.VersionCodec;
import dev.abacus.topology.version.VersionTopic;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/** What one instance opens, and its programs share. */
record WorkerContext(
    WorkerModels models,
    StreamsServices streams,
    @Nullable AvroValues avro,
    VersionTopic versions,
    RoleAccess access,
    StateFolder state) {

  /** After this time, a transition of a worker that died no longer delays the others. */
  private static final int VERSION_TIMEOUT_MS = 10_000;

  /**
   * The context of a worker.
   *
   * @param onVersions hears of programs whose versions changed
   */
  static WorkerContext of(
      WorkerConfig config,
      Admin admin,
      ModelCatalogue catalogue,
      RoleAccess access,
      VersionTopic.Listener onVersions) {
    // What may be refused comes before what has to be closed.
    Redactor redactor = ConfiguredSecrets.redactor(config.originals(), catalogue, System::getenv);
    WorkerKafka kafka = new WorkerKafka(config, admin, redactor);
    Endpoints endpoints = ProcessConfig.checked(() -> endpoints(config, catalogue));
    AvroValues avro = AvroValues.connect(config.originals());
    MonitorServer monitor =
        MonitorServer.open(HttpListener.parse(config.getString(WorkerConfig.HTTP_LISTENER)));
    StateFolder state;
    Tracing tracing;
    try {
      tracing = ProcessConfig.checked(() -> Tracing.configured(System::getenv, redactor));
      state =
          StateFolder.open(
              Path.of(config.getString(WorkerConfig.STATE_DIR)), kafka.names().application(""));
    } catch (ConfigException e) {
      if (monitor != null) {
        monitor.close();
      }
      throw e;
    }
    Clock clock = Clock.systemUTC();
    Supervisor supervisor =
        new Supervisor(
            RestartPolicy.standard(KafkaException.class::isInstance), clock, access::describe);
    RuntimeServices runtime =
        RuntimeServices.of(config.getInt(WorkerConfig.IN_FLIGHT))
            .withCommits(Commits.ofTransactions());
    return new WorkerContext(
        WorkerModels.open(kafka, catalogue, endpoints, tracing, supervisor, clock),
        new StreamsServices(kafka, runtime, sleep(kafka, supervisor), monitor, supervisor, clock),
        avro,
        versions(kafka, catalogue, supervisor, onVersions),
        access,
        state);
  }

  private static Endpoints endpoints(WorkerConfig config, ModelCatalogue catalogue) {
    Endpoints endpoints =
        Endpoints.of(config.getString(WorkerConfig.MODEL_ENDPOINT), config.modelKey());
    endpoints.requireValid(catalogue);
    return endpoints;
  }

  private static @Nullable SleepWatch sleep(WorkerKafka kafka, Supervisor supervisor) {
    return kafka.config().getLong(WorkerConfig.SLEEP_AFTER_MS) == 0
        ? null
        : new SleepWatch(kafka.groups(), supervisor);
  }

  private static VersionTopic versions(
      WorkerKafka kafka,
      ModelCatalogue catalogue,
      Supervisor supervisor,
      VersionTopic.Listener listener) {
    Map<String, Object> reading = kafka.config().followerProperties();
    return new VersionTopic(
        ByteClients.consumer(reading),
        kafka.names(),
        new VersionTopic.Clients() {
          @Override
          public Producer<byte[], byte[]> producer(String transactionalId) {
            Map<String, Object> writing = kafka.redactingClientProperties();
            writing.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
            writing.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, VERSION_TIMEOUT_MS);
            return ByteClients.producer(writing);
          }

          @Override
          public ConsumerGroupMetadata group(String id) {
            Map<String, Object> member = new HashMap<>(reading);
            member.put(ConsumerConfig.GROUP_ID_CONFIG, id);
            member.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
            try (Consumer<byte[], byte[]> consumer = ByteClients.consumer(member)) {
              return consumer.groupMetadata();
            }
          }
        },
        new VersionCodec(new ProgramParser(catalogue)),
        () -> TopicSetup.end(kafka.admin(), kafka.names().versions()),
        supervisor,
        listener);
  }

  WorkerKafka kafka() {
    return streams.kafka();
  }

  /** Forgets a program that has stopped, so that names that come and go leave nothing. */
  void forget(String program) {
    access.forget(program);
    models.forget(program);
    streams.supervisor().forget(ProgramRunner.thread(program));
  }
}
