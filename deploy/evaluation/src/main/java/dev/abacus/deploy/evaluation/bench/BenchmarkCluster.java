package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/** A broker in this process, and what the benchmarks start on it. */
final class BenchmarkCluster implements AutoCloseable {

  /** A longer time without results means a failure. */
  static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final int partitions;
  private final DataFolder folder = DataFolder.of(null, "bench");
  private final LocalKafka kafka = LocalKafka.start();

  /**
   * Starts a broker.
   *
   * @param partitions partitions of each source topic
   */
  BenchmarkCluster(int partitions) {
    this.partitions = partitions;
  }

  String bootstrapServers() {
    return kafka.bootstrapServers();
  }

  /**
   * Creates the topics of a program and sends documents to its source.
   *
   * @param bytes size of a document, approximately
   * @param key the key of each document
   */
  void prepare(BenchmarkProgram benchmark, int documents, int bytes, IntFunction<String> key)
      throws InterruptedException {
    Program program = benchmark.program();
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    List<TopicSpec> topics =
        new ArrayList<>(TopicSpec.of(KafkaNames.UNPREFIXED, program, partitions));
    topics.add(new TopicSpec(benchmark.source(), partitions, Map.of("retention.ms", "-1")));
    try (Admin admin = Admin.create(properties)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    send(benchmark, 0, documents, bytes, key);
  }

  /** Sends the documents with these numbers to the source of a program; the last is exclusive. */
  void send(BenchmarkProgram benchmark, int from, int to, int bytes, IntFunction<String> key) {
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = from; i < to; i++) {
        byte[] value = BenchmarkProgram.document(i, bytes);
        var _ =
            producer.send(
                new ProducerRecord<>(
                    benchmark.source(), key.apply(i).getBytes(StandardCharsets.UTF_8), value));
      }
    }
  }

  /**
   * Starts the product: a worker of one program, with one stream thread.
   *
   * @param worker distinguishes the workers of a program
   * @param runtime what the programs of one worker share
   */
  KafkaStreams start(
      BenchmarkProgram program,
      ModelClient model,
      int inFlight,
      String worker,
      RuntimeServices runtime) {
    KafkaStreams streams = create(program, model, inFlight, worker, runtime);
    streams.start();
    return streams;
  }

  /** As {@link #start}, but not started yet. */
  KafkaStreams create(
      BenchmarkProgram program,
      ModelClient model,
      int inFlight,
      String worker,
      RuntimeServices runtime) {
    RuntimeSettings settings = RuntimeSettings.defaults().withPendingBound(2 * inFlight);
    Topology topology =
        DocumentTopology.of(
            program.program(),
            program.services(model),
            settings,
            runtime.withProgram(program.program().name()),
            _ -> partitions);
    return create(topology, program.program().name(), worker, settings.recordLimit());
  }

  /** Starts a topology with one stream thread. */
  KafkaStreams start(Topology topology, String application, String worker, int recordLimit) {
    KafkaStreams streams = create(topology, application, worker, recordLimit);
    streams.start();
    return streams;
  }

  private KafkaStreams create(
      Topology topology, String application, String worker, int recordLimit) {
    StreamsSettings settings =
        new StreamsSettings(
            application,
            kafka.bootstrapServers(),
            folder.path().resolve(worker).toString(),
            1,
            64L * 1024 * 1024,
            recordLimit,
            Map.of("auto.offset.reset", "earliest"));
    return new KafkaStreams(topology, settings.toProperties());
  }

  @Override
  public void close() {
    kafka.close();
    folder.close();
  }
}
