package dev.abacus.topology.embedded;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.KafkaFutures;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicCheck;
import dev.abacus.schemas.kafka.TopicRange;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.supervision.ThreadStatus;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.Serde;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KStream;
import org.apache.kafka.streams.kstream.Produced;

/**
 * An instance of the data plane in the process of another application, with programs that this
 * application brings.
 *
 * <p>The worker is a whole one: it runs every program on the control topic, shares partitions with
 * other workers, changes plans while documents flow, and has exactly-once, receipts and spending
 * caps. The application and the worker exchange documents through the topics of the program, as a
 * Kafka Streams application and its repartition topics do. An optimizer of the cluster chooses the
 * plans.
 */
public final class EmbeddedWorker implements AutoCloseable {

  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final Worker worker;

  private EmbeddedWorker(Worker worker) {
    this.worker = worker;
  }

  /**
   * Creates missing topics, applies the programs, and starts a worker. A program replaces the one
   * of its name on the cluster; an equal one changes nothing.
   *
   * @param settings those of {@link WorkerConfig}
   * @param partitions number of partitions of sources that do not exist
   * @throws IllegalArgumentException if a program names a topic that it may not use
   * @throws KafkaException if the cluster refuses or cannot be reached
   */
  public static EmbeddedWorker start(Map<String, ?> settings, int partitions, Program... programs)
      throws InterruptedException {
    WorkerConfig config = new WorkerConfig(settings);
    KafkaNames names = config.names();
    for (Program program : programs) {
      String mistake = TopicCheck.mistake(program, List.of(programs), names);
      if (mistake != null) {
        throw new IllegalArgumentException(program.name() + ": " + mistake);
      }
    }
    try (Admin admin = Admin.create(config.clientProperties())) {
      short replication = config.getShort(WorkerConfig.REPLICATION_FACTOR);
      TopicSetup.ensure(admin, TopicSpec.shared(names), replication);
      for (Program program : programs) {
        createTopics(admin, names, program, partitions, replication);
      }
    }
    apply(config, programs);
    return new EmbeddedWorker(Worker.start(config));
  }

  private static void createTopics(
      Admin admin, KafkaNames names, Program program, int partitions, short replication)
      throws InterruptedException {
    int most = 1;
    for (Source source : program.sources()) {
      TopicSetup.ensure(
          admin, List.of(new TopicSpec(source.topic(), partitions, Map.of())), replication);
      most = Math.max(most, TopicSetup.partitions(admin, source.topic()));
    }
    for (Reference items : program.references()) {
      TopicSetup.ensure(admin, List.of(new TopicSpec(items.topic(), 1, COMPACTED)), replication);
    }
    TopicSetup.ensure(admin, TopicSpec.of(names, program, most), replication);
  }

  /** Writes the programs that differ from those in force: writing would release a held plan. */
  private static void apply(WorkerConfig config, Program... programs) throws InterruptedException {
    Map<String, byte[]> inForce = programsInForce(config);
    try (Producer<byte[], byte[]> producer = ByteClients.producer(config.clientProperties())) {
      for (Program program : programs) {
        ControlRecord record = new ControlRecord.ProgramSet(program);
        String key = record.key().path();
        byte[] value = ControlCodec.encode(record);
        if (!Arrays.equals(value, inForce.get(key))) {
          KafkaFutures.get(
              producer.send(
                  new ProducerRecord<>(config.names().control(), key.getBytes(UTF_8), value)));
        }
      }
    }
  }

  /** The last value of each key on the control topic. */
  private static Map<String, byte[]> programsInForce(WorkerConfig config) {
    Map<String, byte[]> values = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer =
        ByteClients.consumer(ByteClients.following(config.clientProperties()))) {
      TopicRange.all(consumer, config.names().control())
          .read(
              consumer,
              PATIENCE,
              record -> {
                if (record.key() != null) {
                  values.put(new String(record.key(), UTF_8), record.value());
                }
              });
    }
    return values;
  }

  /**
   * Adds a program to a topology: the documents go to its source topic, and the stream returned has
   * its results. The application must read committed records only, as it does with {@code
   * processing.guarantee=exactly_once_v2}.
   *
   * @param program a program with one source
   * @param documents the documents, in the format of the source
   * @throws IllegalArgumentException if the program has more than one source
   */
  public static <K, V> KStream<K, V> process(
      StreamsBuilder builder,
      Program program,
      KStream<K, V> documents,
      Serde<K> keys,
      Serde<V> values) {
    if (program.sources().size() != 1) {
      throw new IllegalArgumentException(
          "'%s' has %d sources; write to the topic of each with KStream.to, and read %s"
              .formatted(program.name(), program.sources().size(), program.results().topic()));
    }
    documents.to(program.sources().getFirst().topic(), Produced.with(keys, values));
    return builder.stream(program.results().topic(), Consumed.with(keys, values));
  }

  /** Completes when a thread of the worker cannot continue; start a new worker then. */
  public CompletableFuture<ThreadStatus> failure() {
    return worker.failure();
  }

  /** Leaves the cluster; other workers resume the documents in flight. */
  @Override
  public void close() {
    worker.close();
  }
}
