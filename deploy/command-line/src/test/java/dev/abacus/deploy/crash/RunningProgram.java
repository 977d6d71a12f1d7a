package dev.abacus.deploy.crash;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.jspecify.annotations.Nullable;

/** A program with a plan, its documents and its results, on a broker; without an optimizer. */
final class RunningProgram implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Map<String, Object> client;
  private final KafkaNames names;
  private Program program;
  private final int partitions;
  private final KafkaProducer<byte[], byte[]> producer;

  private RunningProgram(
      Map<String, Object> client, KafkaNames names, Program program, int partitions) {
    this.client = client;
    this.names = names;
    this.program = program;
    this.partitions = partitions;
    this.producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer());
  }

  /**
   * Creates the topics of a program and activates a plan that calls gpt-4o-mini.
   *
   * @param results configuration of the results topic
   */
  static RunningProgram open(
      LocalKafka kafka, String text, int partitions, Map<String, String> results) throws Exception {
    return open(kafka, KafkaNames.UNPREFIXED, text, partitions, results);
  }

  /** As above, with names that may have a prefix. */
  static RunningProgram open(
      LocalKafka kafka, KafkaNames names, String text, int partitions, Map<String, String> results)
      throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", kafka.bootstrapServers());
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    List<TopicSpec> topics = new ArrayList<>(TopicSpec.shared(names));
    topics.add(new TopicSpec(program.sources().getFirst().topic(), partitions, Map.of()));
    topics.add(new TopicSpec(program.results().topic(), partitions, results));
    for (TopicSpec topic : TopicSpec.of(names, program, partitions)) {
      if (!topic.name().equals(program.results().topic())) {
        topics.add(topic);
      }
    }
    try (Admin admin = Admin.create(client)) {
      TopicSetup.ensure(admin, topics, (short) 1);
    }
    RunningProgram running = new RunningProgram(client, names, program, partitions);
    running.activate(1);
    return running;
  }

  /** Removes the program from the control topic. */
  void remove() throws Exception {
    String key = new ControlRecord.ProgramSet(program).key().path();
    producer.send(new ProducerRecord<>(names.control(), bytes(key), null)).get();
  }

  /** Applies another definition with a plan of its own. */
  void become(String text, long epoch) throws Exception {
    program = new ProgramParser(ModelCatalogue.builtIn()).parse(text);
    activate(epoch);
  }

  private void activate(long epoch) throws Exception {
    write(records(program, epoch));
  }

  /** Defines a program, and activates a plan that calls gpt-4o-mini. */
  static List<ControlRecord> records(Program program, long epoch) {
    return List.of(
        new ControlRecord.ProgramSet(program),
        plan(program, epoch, "gpt-4o-mini", 0),
        new ControlRecord.Activated(program.name(), epoch, 1, "test", "test"));
  }

  /**
   * Publishes a plan and does not activate it.
   *
   * @param cost its estimate, in USD per document
   */
  void publish(long epoch, String model, double cost) throws Exception {
    write(List.of(plan(program, epoch, model, cost)));
  }

  private static ControlRecord plan(Program program, long epoch, String model, double cost) {
    List<PlanStep> steps =
        program.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator, operator.isSemantic() ? new ModelSelection(model) : new Relational()))
            .toList();
    return new ControlRecord.PlanPublished(
        new PhysicalPlan(
            program.name(),
            epoch,
            new PlanChoice(steps, new Estimate(1, cost, 0)),
            program.objective(),
            List.of()));
  }

  void write(List<ControlRecord> records) throws Exception {
    for (ControlRecord record : records) {
      producer
          .send(
              new ProducerRecord<>(
                  names.control(), bytes(record.key().path()), ControlCodec.encode(record)))
          .get();
    }
  }

  /** Sends a document. */
  void send(int partition, @Nullable Long timestamp, @Nullable String key, String value) {
    var _ =
        producer.send(
            new ProducerRecord<>(
                program.sources().getFirst().topic(),
                partition,
                timestamp,
                key == null ? null : bytes(key),
                bytes(value)));
  }

  /** Sends values by their keys, as a producer does that knows nothing of Abacus. */
  void sendRaw(Map<String, byte[]> values) throws Exception {
    for (Map.Entry<String, byte[]> value : values.entrySet()) {
      String topic = program.sources().getFirst().topic();
      producer.send(new ProducerRecord<>(topic, bytes(value.getKey()), value.getValue())).get();
    }
  }

  /** As many results and dead letters as documents, by key, within two minutes. */
  static Map<String, ConsumerRecord<String, String>> byKey(
      KafkaConsumer<String, String> outputs, int documents) {
    Map<String, ConsumerRecord<String, String>> byKey = new HashMap<>();
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (byKey.size() < documents) {
      assertThat(System.nanoTime()).as("after %s", byKey).isLessThan(deadline);
      outputs.poll(Duration.ofMillis(200)).forEach(record -> byKey.put(record.key(), record));
    }
    return byKey;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A consumer of committed results and dead letters from the beginning. */
  KafkaConsumer<String, String> outputs() {
    Map<String, Object> properties = new HashMap<>(client);
    properties.put("isolation.level", "read_committed");
    properties.put("auto.offset.reset", "earliest");
    KafkaConsumer<String, String> consumer =
        new KafkaConsumer<>(properties, new StringDeserializer(), new StringDeserializer());
    consumer.assign(
        IntStream.range(0, partitions)
            .boxed()
            .flatMap(partition ->
                Stream.of(
                    new TopicPartition(program.results().topic(), partition),
                    new TopicPartition(names.deadLetters(program.name()), partition)))
            .toList());
    return consumer;
  }

  /**
   * Starts a worker with simulated models in this process.
   *
   * @param more further settings
   */
  static Worker worker(
      LocalKafka kafka, SimulatedEndpoint models, Path state, Map<String, String> more)
      throws InterruptedException {
    return Worker.start(new WorkerConfig(workerSettings(kafka, models, state, more)));
  }

  /** The settings of such a worker. */
  static Map<String, String> workerSettings(
      LocalKafka kafka, SimulatedEndpoint models, Path state, Map<String, String> more) {
    Map<String, String> settings = new HashMap<>(more);
    settings.put("bootstrap.servers", kafka.bootstrapServers());
    settings.put(WorkerConfig.STATE_DIR, state.toString());
    settings.put(WorkerConfig.MODEL_ENDPOINT, models.baseUri().toString());
    return settings;
  }

  /** The statistics of a simulated endpoint. */
  static JsonNode statistics(SimulatedEndpoint endpoint) throws Exception {
    try (HttpClient http = HttpClient.newHttpClient()) {
      HttpRequest request =
          HttpRequest.newBuilder(endpoint.baseUri().resolve("/simulator/stats")).build();
      return new ObjectMapper()
          .readTree(http.send(request, HttpResponse.BodyHandlers.ofString()).body());
    }
  }

  @Override
  public void close() {
    producer.close();
  }
}
