package dev.abacus.deploy.endpoint;

import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.cluster.TopicCreation;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.deploy.simulator.CallListener;
import dev.abacus.deploy.simulator.SimulatedEndpoint;
import dev.abacus.deploy.simulator.SimulatorOptions;
import dev.abacus.deploy.simulator.fault.FaultRates;
import dev.abacus.deploy.simulator.limit.RateLimit;
import dev.abacus.deploy.simulator.provider.Provider;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
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
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;

/**
 * A broker and a worker over two endpoints: one like OpenAI, and one like Azure for the model
 * {@link #AZURE}.
 */
final class EndpointStack implements AutoCloseable {

  /** The key of the endpoint like OpenAI. */
  static final String KEY = "sk-simulated-4711";

  /** The card whose endpoint is like Azure; its key is the value of an environment variable. */
  static final String AZURE = "azure-gpt-4o";

  /** Enforced in buckets of 10 requests. */
  static final int REQUESTS_PER_MINUTE = 600;

  private static final SimulatorOptions FAST = SimulatorOptions.DEFAULTS.withSpeed(20);

  /** The faults that every test begins with. */
  static final FaultRates FAULTS = FaultRates.parse("gpt-4.1-nano:slow=1");

  /** Longer than the timeout of one minute that the client once had. */
  private static final Duration SLOW = Duration.ofSeconds(62);

  /** Requests and responses of both endpoints. */
  final List<CallListener.Call> calls = new CopyOnWriteArrayList<>();

  final SimulatedEndpoint openAi;
  private SimulatedEndpoint azure;
  final KafkaConnection connection;
  final ModelCatalogue catalogue;
  private final LocalKafka kafka;
  private final Worker worker;
  private final Producer<byte[], byte[]> producer;

  EndpointStack(Path folder) throws IOException, InterruptedException {
    RateLimit limit =
        RateLimit.NONE
            .withModel("gpt-4o", REQUESTS_PER_MINUTE)
            .withModel("gpt-4.1", REQUESTS_PER_MINUTE)
            .withWindowMs(1000)
            .withRetryAfter(RateLimit.RetryAfter.NONE);
    openAi =
        SimulatedEndpoint.start(
            FAST.withRateLimit(limit)
                .like(Provider.OPENAI)
                .withApiKey(KEY)
                .withSlow(SLOW)
                .withFaults(FAULTS),
            Clock.systemUTC(),
            calls::add);
    azure = startAzure(0);
    Path models =
        Files.writeString(
            folder.resolve("models.json"),
            """
            [{"name": "gpt-4o", "kind": "CHAT", "inputUsdPerMillion": 2.5,
              "cachedInputUsdPerMillion": 1.25, "outputUsdPerMillion": 10, "quality": 0.741,
              "secondsPerOutputToken": 0.008, "contextTokens": 128000, "requestsPerMinute": %d},
             {"name": "gpt-5-nano", "inputUsdPerMillion": 0.05, "outputUsdPerMillion": 0.4,
              "quality": 0.779, "secondsPerOutputToken": 0.0055, "contextTokens": 400000,
              "supports": {"temperature": false, "logprobs": false},
              "tiers": {"flex": {"inputUsdPerMillion": 0.025, "outputUsdPerMillion": 0.2,
                                 "patienceSeconds": 3}}},
             {"name": "%s", "kind": "CHAT", "inputUsdPerMillion": 2.5, "outputUsdPerMillion": 10,
              "quality": 0.741, "secondsPerOutputToken": 0.008, "contextTokens": 128000,
              "endpoint": "%s", "apiName": "gpt-4o", "keyVariable": "HOME"}]
            """
                .formatted(REQUESTS_PER_MINUTE, AZURE, azure.baseUri()));
    catalogue = ModelCatalogue.builtIn().extendedBy(models);
    kafka = LocalKafka.start();
    connection = KafkaConnection.to(kafka.bootstrapServers());
    producer = connection.producer(Map.of());
    Map<String, Object> properties = new HashMap<>();
    properties.put("bootstrap.servers", kafka.bootstrapServers());
    properties.put(WorkerConfig.STATE_DIR, folder.resolve("state").toString());
    properties.put(WorkerConfig.IN_FLIGHT, 85);
    properties.put(WorkerConfig.STATUS_INTERVAL_MS, 200);
    properties.put(WorkerConfig.MODEL_ENDPOINT, openAi.baseUri().toString());
    // As from a file with line ends of Windows.
    properties.put(WorkerConfig.MODEL_KEY, KEY + "\r");
    properties.put(WorkerConfig.MODEL_CATALOGUE, models.toString());
    worker = Worker.start(new WorkerConfig(properties));
  }

  private SimulatedEndpoint startAzure(int port) throws IOException {
    return SimulatedEndpoint.start(
        FAST.like(Provider.AZURE).withPort(port), Clock.systemUTC(), calls::add);
  }

  /** Stops the endpoint like Azure; returns its port. */
  int stopAzure() {
    int port = azure.baseUri().getPort();
    azure.close();
    return port;
  }

  /** Starts the endpoint like Azure at the port that it had. */
  void restartAzure(int port) throws IOException {
    azure = startAzure(port);
  }

  /** Starts a program with one map by one model. */
  Flow start(String name, String model, String writes) throws Exception {
    Program program =
        new ProgramParser(catalogue)
            .parse(
                """
                program: %1$s
                sources: { messages: { topic: %1$s.in, format: json, key: id } }
                operators:
                  - map: read
                    input: messages
                    instruction: Copy what the message says.
                    reads: [text]
                    writes: { %3$s }
                results: { topic: %1$s.out, format: json }
                models: [%2$s]
                """
                    .formatted(name, model, writes));
    TopicCreation creation = new TopicCreation(2, 1);
    var _ = creation.create(connection, program);
    PlanChoice choice =
        new PlanChoice(
            List.of(new PlanStep(program.operators().getFirst(), new ModelSelection(model))),
            new Estimate(0.9, 0.01, 0.4));
    control(new ControlRecord.ProgramSet(program));
    control(
        new ControlRecord.PlanPublished(
            new PhysicalPlan(name, 1, choice, Objective.MAXIMIZE_QUALITY, List.of(choice))));
    control(new ControlRecord.Activated(name, 1, 1, "found", ControlRecord.OPTIMIZER));
    return new Flow(this, name, model);
  }

  void control(ControlRecord record) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                KafkaNames.UNPREFIXED.control(),
                record.key().path().getBytes(StandardCharsets.UTF_8),
                ControlCodec.encode(record)))
        .get();
  }

  void send(String topic, String key, String value) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                topic,
                key.getBytes(StandardCharsets.UTF_8),
                value.getBytes(StandardCharsets.UTF_8)))
        .get();
  }

  @Override
  public void close() {
    worker.close();
    producer.close();
    kafka.close();
    openAi.close();
    azure.close();
  }
}
