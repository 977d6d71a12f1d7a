package dev.abacus.deploy.evaluation.bench;

import dev.abacus.deploy.local.DataFolder;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.live.DocumentTopology;
import dev.abacus.topology.live.DocumentWork;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;

/**
 * Measures documents per second of the data plane, with exactly-once semantics, a broker in the
 * same process and simulated model calls with a fixed latency.
 *
 * <p>Only the model is simulated; topology, pending store, prompts, answers and results are those
 * of the product. The synchronous baseline does the same work, one document after the other on the
 * stream thread.
 */
public final class ThroughputBenchmark {

  /** A longer time without results means a failure. */
  private static final Duration LONGEST_SILENCE = Duration.ofSeconds(60);

  private final ThroughputOptions options;
  private final LongConsumer progress;

  /**
   * Creates a benchmark.
   *
   * @param progress receives the number of results from time to time
   */
  public ThroughputBenchmark(ThroughputOptions options, LongConsumer progress) {
    this.options = options;
    this.progress = progress;
  }

  /**
   * Runs the benchmark.
   *
   * @throws IOException if the simulated endpoint cannot start
   * @throws IllegalStateException if no results arrive
   */
  public ThroughputReport run() throws InterruptedException, IOException {
    try (DataFolder folder = DataFolder.of(null, "bench");
        LocalKafka kafka = LocalKafka.start();
        BenchmarkModel model = BenchmarkModel.of(options)) {
      Path state = folder.path();
      double synchronous = 0;
      if (!options.synchronousFor().isZero()) {
        synchronous = synchronous(kafka, model, state);
      }
      ResultCounter count = asynchronous(kafka, model, state);
      double perSecond = count.steadyRate();
      return new ThroughputReport(
          perSecond,
          count.wholeRate(),
          options.ideal(),
          perSecond / options.ideal(),
          synchronous,
          synchronous == 0 ? 0 : perSecond / synchronous,
          count.results(),
          count.deadLetters(),
          count.seconds(),
          count.duplicates(),
          true);
    }
  }

  private ResultCounter asynchronous(LocalKafka kafka, BenchmarkModel model, Path state)
      throws InterruptedException {
    BenchmarkProgram program = new BenchmarkProgram("bench");
    prepare(kafka, program.program(), options.documents());
    RuntimeSettings settings = RuntimeSettings.defaults().withPendingBound(2 * options.inFlight());
    Topology topology =
        DocumentTopology.of(
            program.program(),
            program.services(model.client()),
            settings,
            RuntimeServices.of(options.inFlight()),
            _ -> 1);
    try (KafkaStreams _ = start(kafka, topology, "bench", state, settings.recordLimit());
        ResultCounter count = new ResultCounter(kafka.bootstrapServers(), program.program())) {
      count.awaitResults(options.documents(), LONGEST_SILENCE, progress);
      return count;
    }
  }

  /** Measures the results per second of the synchronous baseline. */
  private double synchronous(LocalKafka kafka, BenchmarkModel model, Path state)
      throws InterruptedException {
    BenchmarkProgram program = new BenchmarkProgram("bench-synchronous");
    long seconds = Math.max(1, options.synchronousFor().toSeconds());
    int enough = (int) Math.ceil(2 * seconds / (options.latency().toNanos() / 1e9)) + 10;
    prepare(kafka, program.program(), enough);
    RuntimeSettings settings = RuntimeSettings.defaults();
    Topology topology =
        SynchronousTopology.of(
            program, DocumentWork.whole(program.program(), program.services(model.client())));
    try (KafkaStreams _ =
            start(kafka, topology, "bench-synchronous", state, settings.recordLimit());
        ResultCounter count = new ResultCounter(kafka.bootstrapServers(), program.program())) {
      count.awaitTime(options.synchronousFor(), LONGEST_SILENCE);
      return count.wholeRate();
    }
  }

  private void prepare(LocalKafka kafka, Program program, int documents)
      throws InterruptedException {
    Map<String, Object> properties = Map.of("bootstrap.servers", kafka.bootstrapServers());
    List<TopicSpec> topics =
        new ArrayList<>(TopicSpec.of(KafkaNames.UNPREFIXED, program, options.partitions()));
    topics.add(
        new TopicSpec(
            program.sources().getFirst().topic(),
            options.partitions(),
            Map.of("retention.ms", "-1")));
    try (Admin admin = Admin.create(properties)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < documents; i++) {
        byte[] key = ("d-" + i).getBytes(StandardCharsets.UTF_8);
        byte[] value = BenchmarkProgram.document(i);
        var _ =
            producer.send(new ProducerRecord<>(program.sources().getFirst().topic(), key, value));
      }
    }
  }

  private static KafkaStreams start(
      LocalKafka kafka, Topology topology, String application, Path state, int recordLimit) {
    StreamsSettings settings =
        new StreamsSettings(
            application,
            kafka.bootstrapServers(),
            state.toString(),
            1,
            64L * 1024 * 1024,
            recordLimit,
            Map.of("auto.offset.reset", "earliest"));
    KafkaStreams streams = new KafkaStreams(topology, settings.toProperties());
    streams.start();
    return streams;
  }
}
