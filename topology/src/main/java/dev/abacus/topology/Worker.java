package dev.abacus.topology;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.topology.control.ControlFollower;
import dev.abacus.topology.control.PlanSlot;
import dev.abacus.topology.control.StatusReporter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/**
 * One instance of the data plane: follows the control topic and runs every program on it. Instances
 * share the partitions of the source topics; each needs a state directory of its own that it keeps
 * over restarts.
 */
public final class Worker implements AutoCloseable {

  private static final String OPENAI = "https://api.openai.com";
  private static final int REACH_MS = 15_000;

  private final WorkerContext services;
  private final ControlFollower control;
  private final StatusReporter status;
  private final Map<String, ProgramRunner> programs = new ConcurrentHashMap<>();

  private Worker(WorkerContext services, ControlCodec codec) {
    this.services = services;
    this.control = new ControlFollower(controlConsumer(services.config()), codec, this::changed);
    this.status =
        new StatusReporter(
            new KafkaProducer<>(
                services.clientProperties(), new ByteArraySerializer(), new ByteArraySerializer()),
            this::statuses,
            Duration.ofMillis(services.config().getLong(WorkerConfig.STATUS_INTERVAL_MS)));
  }

  /**
   * Starts an instance and returns at once; programs start as they are found.
   *
   * @throws ConfigException if a setting is wrong or missing
   * @throws IllegalArgumentException if the model catalogue cannot be read
   * @throws KafkaException if the cluster cannot be reached
   */
  public static Worker start(WorkerConfig config) throws InterruptedException {
    requireKey(config);
    ModelCatalogue catalogue = catalogue(config.getString(WorkerConfig.MODEL_CATALOGUE));
    Map<String, Object> reaching = new HashMap<>(config.clientProperties());
    reaching.putIfAbsent(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, REACH_MS);
    reaching.putIfAbsent(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, REACH_MS);
    Admin admin = Admin.create(reaching);
    try {
      TopicSetup.ensure(
          admin, TopicSpec.shared(), config.getShort(WorkerConfig.REPLICATION_FACTOR));
      WorkerContext services = WorkerContext.of(config, admin, catalogue);
      return new Worker(
          services, new ControlCodec(catalogue, ControlCodec.AvroReader.of(services.avro())));
    } catch (RuntimeException | InterruptedException e) {
      admin.close();
      throw e;
    }
  }

  private static void requireKey(WorkerConfig config) {
    if (config.getString(WorkerConfig.MODEL_ENDPOINT).startsWith(OPENAI)
        && config.modelKey() == null) {
      throw new ConfigException(
          "no model key: set OPENAI_API_KEY or %s, or another endpoint by %s"
              .formatted(WorkerConfig.MODEL_KEY, WorkerConfig.MODEL_ENDPOINT));
    }
  }

  private static ModelCatalogue catalogue(@Nullable String file) {
    ModelCatalogue builtIn = ModelCatalogue.builtIn();
    return file == null ? builtIn : builtIn.extendedBy(Path.of(file));
  }

  private static KafkaConsumer<String, byte[]> controlConsumer(WorkerConfig config) {
    Map<String, Object> properties = new HashMap<>(config.clientProperties());
    properties.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    properties.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    properties.remove(ConsumerConfig.GROUP_ID_CONFIG);
    return new KafkaConsumer<>(properties, new StringDeserializer(), new ByteArrayDeserializer());
  }

  private void changed(String program, PlanSlot slot) {
    programs.computeIfAbsent(program, name -> new ProgramRunner(name, slot, services)).changed();
  }

  private List<InstanceStatus> statuses() {
    String instance = services.config().instanceId();
    return programs.values().stream()
        .map(run -> run.status(instance, services.clock().instant()))
        .filter(Objects::nonNull)
        .toList();
  }

  /**
   * Stops. Documents in flight stay in the pending store and are gone on with by the next owner.
   */
  @Override
  public void close() {
    control.close();
    programs.values().forEach(ProgramRunner::close);
    status.close();
    AvroValues avro = services.avro();
    if (avro != null) {
      avro.close();
    }
    services.admin().close(Duration.ofSeconds(5));
  }
}
