package dev.abacus.deploy.admission;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import dev.abacus.topology.Worker;
import dev.abacus.topology.WorkerConfig;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/** A broker, a simulated endpoint, workers, and a program with one map and a fixed plan. */
final class Site implements AutoCloseable {

  static final String MODEL = "gpt-4o-mini";
  static final String PROGRAM = "admission";
  static final String KEY = "sk-right";

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  final SimulatedEndpoint endpoint;
  final KafkaConnection connection;

  /** Keys of results. */
  final List<String> results = new ArrayList<>();

  final List<String> deadLetters = new ArrayList<>();

  /** Bodies of the requests that were answered. */
  private final Set<String> answered = ConcurrentHashMap.newKeySet();

  private final LongAdder answeredAgain = new LongAdder();
  private final Program program;
  private final Path folder;
  private final LocalKafka kafka;
  private final List<Worker> workers = new ArrayList<>();
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private int sent;

  Site(Path folder, SimulatorOptions options) throws Exception {
    this.folder = folder;
    endpoint =
        SimulatedEndpoint.start(
            options,
            Clock.systemUTC(),
            call -> {
              if (call.status() == 200
                  && call.path().endsWith("/chat/completions")
                  && !answered.add(call.request())) {
                answeredAgain.increment();
              }
            });
    kafka = LocalKafka.start();
    connection = KafkaConnection.to(kafka.bootstrapServers());
    producer = connection.producer(Map.of());
    program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: admission
                sources: { messages: { topic: admission.in, format: json, key: id } }
                operators:
                  - map: classify
                    input: messages
                    instruction: Which intent does the message have?
                    reads: [text]
                    writes: { intent: { type: string } }
                results: { topic: admission.out, format: json }
                models: [gpt-4o-mini]
                judge: o4-mini
                """);
    TopicCreation creation = new TopicCreation(4, 1);
    var _ = creation.create(connection, program);
    consumer = connection.consumer(Map.of());
    List<TopicPartition> partitions =
        Stream.of("admission.out", KafkaNames.UNPREFIXED.deadLetters(PROGRAM))
            .flatMap(topic -> consumer.partitionsFor(topic).stream())
            .map(info -> new TopicPartition(info.topic(), info.partition()))
            .toList();
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Applies the program and its plan. The first worker creates the control topic. */
  private void apply() {
    PlanChoice choice =
        new PlanChoice(
            List.of(new PlanStep(program.operators().getFirst(), new ModelSelection(MODEL))),
            new Estimate(0.9, 0.01, 1));
    control(new ControlRecord.ProgramSet(program));
    control(
        new ControlRecord.PlanPublished(
            new PhysicalPlan(PROGRAM, 1, choice, Objective.MAXIMIZE_QUALITY, List.of(choice))));
    control(new ControlRecord.Activated(PROGRAM, 1, 1, "found", ControlRecord.OPTIMIZER));
  }

  void startWorker(String name) throws Exception {
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    properties.put(WorkerConfig.INSTANCE_ID, name);
    properties.put(WorkerConfig.STATE_DIR, folder.resolve(name).toString());
    properties.put(WorkerConfig.STATUS_INTERVAL_MS, 500);
    properties.put(WorkerConfig.MODEL_ENDPOINT, endpoint.baseUri().toString());
    properties.put(WorkerConfig.MODEL_KEY, KEY);
    Worker worker = Worker.start(new WorkerConfig(properties));
    if (workers.isEmpty()) {
      apply();
    }
    workers.add(worker);
  }

  private void control(ControlRecord record) {
    send(KafkaNames.UNPREFIXED.control(), record.key().path(), ControlCodec.encode(record));
  }

  /** Sends documents with different keys. */
  void send(int documents) {
    for (int i = 0; i < documents; i++) {
      sent++;
      send(
          "admission.in",
          "d" + sent,
          "{\"id\": \"d%d\", \"text\": \"message %d\"}"
              .formatted(sent, sent)
              .getBytes(StandardCharsets.UTF_8));
    }
    producer.flush();
  }

  int sent() {
    return sent;
  }

  private void send(String topic, String key, byte[] value) {
    var _ = producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value));
  }

  /** Reads results and dead letters until a condition holds. */
  void until(String what, BooleanSupplier condition) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new AssertionError(
            "no %s; %d results of %d, %d dead letters, %s, %s"
                .formatted(
                    what,
                    results.size(),
                    sent,
                    deadLetters.size(),
                    waits(),
                    endpoint.statistics()));
      }
      consumer
          .poll(Duration.ofMillis(100))
          .forEach(record -> {
            String key = new String(record.key(), StandardCharsets.UTF_8);
            if (record.topic().equals("admission.out")) {
              results.add(key);
            } else {
              deadLetters.add(key + " " + record.headers());
            }
          });
    }
  }

  void untilAllResults() {
    until("results", () -> results.size() + deadLetters.size() >= sent);
  }

  /** Sends documents until so many have no outcome. */
  void backlog(int documents) {
    send(documents - (sent - results.size() - deadLetters.size()));
  }

  /** What the workers say that they wait for. */
  private List<ModelWait> waits() {
    return TopicReader.status(connection).instances(PROGRAM).stream()
        .map(InstanceStatus::waits)
        .flatMap(List::stream)
        .toList();
  }

  /** Number of workers that say that they wait for this cause. */
  long waitingInstances(ModelWait.Cause cause) {
    return waits().stream().filter(wait -> wait.cause() == cause).count();
  }

  long calls() {
    return endpoint.statistics().path("calls").asLong();
  }

  long refused() {
    return endpoint.statistics().path("refused").asLong();
  }

  /** Answered calls with different requests. */
  int answers() {
    return answered.size();
  }

  /** Waits for this number of further answers. */
  void untilAnswers(int more) {
    int end = answers() + more;
    until("answers", () -> answers() >= end);
  }

  /** Answered calls whose request had been answered before. */
  long answersBeyondTheFirst() {
    return answeredAgain.sum();
  }

  @Override
  public void close() {
    workers.forEach(Worker::close);
    producer.close();
    consumer.close();
    endpoint.close();
    kafka.close();
  }
}
