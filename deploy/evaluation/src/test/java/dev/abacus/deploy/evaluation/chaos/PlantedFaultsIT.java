package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.deploy.evaluation.chaos.judge.History;
import dev.abacus.deploy.evaluation.chaos.judge.History.Plan;
import dev.abacus.deploy.evaluation.chaos.judge.Judge;
import dev.abacus.deploy.evaluation.chaos.judge.Verdict;
import dev.abacus.deploy.local.LocalKafka;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;

/**
 * The verdicts of a chaos run on a small worker of this test that shares no code with Abacus. They
 * hold while it works, and each fault that is planted in it is found on the topics and in the calls
 * of the models, by the verdict that it belongs to.
 */
class PlantedFaultsIT {

  private static final List<ChaosPrograms> PROGRAMS =
      List.of(ChaosPrograms.CHAIN, ChaosPrograms.KEEP, ChaosPrograms.MANY, ChaosPrograms.CAPPED);

  private static final int RATE = 20;
  private static final int DOCUMENTS = 15;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private static final Judge JUDGE =
      new Judge(
          ChaosPrograms.shapes(PROGRAMS),
          new Judge.Limits(1_000, 1_000, 0, 0, 1, 1, 60_000, 0, Map.of(), Map.of()));

  @Test
  void eachFaultOfAWorkerIsFoundByItsVerdict() throws Exception {
    try (LocalKafka kafka = LocalKafka.start();
        ModelServer models = new ModelServer(PROGRAMS, 0)) {
      KafkaConnection connection = KafkaConnection.to(kafka.bootstrapServers());
      ClusterSetup.create(connection, PROGRAMS, Map.of());
      try (Traffic traffic = new Traffic(connection, PROGRAMS, RATE);
          SmallWorker worker = new SmallWorker(kafka.bootstrapServers(), models, traffic)) {
        await(traffic, () -> history(traffic, models).activations().size() == PROGRAMS.size());
        run(traffic, worker, models, Set.of());

        worker.faulty = true;
        run(
            traffic,
            worker,
            models,
            Set.of(
                "nothing lost 1 keep",
                "nothing doubled 1 many",
                "no mix of epochs 1 chain",
                "not paid twice 1 capped"));
      }
    }
  }

  private static History history(Traffic traffic, ModelServer models) {
    return traffic.history(models.calls(), List.of());
  }

  /** Guarantee, number of violations and program. */
  private static Set<String> violated(Traffic traffic, ModelServer models) {
    return JUDGE.judge(history(traffic, models)).stream()
        .filter(verdict -> !verdict.holds())
        .map(PlantedFaultsIT::describe)
        .collect(Collectors.toSet());
  }

  private static String describe(Verdict verdict) {
    String example = verdict.examples().getFirst();
    return "%s %d %s"
        .formatted(
            verdict.guarantee(), verdict.violations(), example.substring(0, example.indexOf(':')));
  }

  /**
   * Sends documents, and works until the verdicts are as expected: the brokers may accept the last
   * documents late.
   */
  private static void run(
      Traffic traffic, SmallWorker worker, ModelServer models, Set<String> expected)
      throws Exception {
    int target = history(traffic, models).sent().size() + DOCUMENTS * PROGRAMS.size();
    while (history(traffic, models).sent().size() < target) {
      traffic.send();
      worker.work();
      traffic.poll(Duration.ofMillis(10));
    }
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (worker.work() > 0
        || worker.done < target
        || !violated(traffic, models).equals(expected)) {
      traffic.poll(Duration.ofMillis(10));
      if (System.nanoTime() > deadline) {
        assertThat(violated(traffic, models)).isEqualTo(expected);
      }
    }
  }

  private static void await(Traffic traffic, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      traffic.poll(Duration.ofMillis(10));
      assertThat(System.nanoTime()).isLessThan(deadline);
    }
  }

  /** Does what plan 1 of each program says; when it is faulty, wrongly for one document each. */
  private static final class SmallWorker implements AutoCloseable {

    private static final int EPOCH = 1;

    private final ObjectMapper json = new ObjectMapper();
    private final HttpClient http = HttpClient.newHttpClient();
    private final ModelServer models;
    private final Traffic traffic;
    private final KafkaConsumer<byte[], byte[]> consumer;
    private final KafkaProducer<byte[], byte[]> producer;
    private final List<String> faults = new ArrayList<>(List.of("keep", "many", "chain", "capped"));
    boolean faulty;
    int done;

    SmallWorker(String bootstrapServers, ModelServer models, Traffic traffic) {
      this.models = models;
      this.traffic = traffic;
      Map<String, Object> properties =
          Map.of("bootstrap.servers", bootstrapServers, "auto.offset.reset", "earliest");
      consumer =
          new KafkaConsumer<>(properties, new ByteArrayDeserializer(), new ByteArrayDeserializer());
      producer =
          new KafkaProducer<>(
              Map.of("bootstrap.servers", bootstrapServers),
              new ByteArraySerializer(),
              new ByteArraySerializer());
      consumer.assign(
          PROGRAMS.stream()
              .flatMap(program ->
                  IntStream.range(0, ChaosOptions.PARTITIONS)
                      .mapToObj(i -> new TopicPartition(program.program() + ".documents", i)))
              .toList());
    }

    /** Returns the number of documents that were processed. */
    int work() throws Exception {
      int before = done;
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(10))) {
        process(record);
        done++;
      }
      producer.flush();
      return done - before;
    }

    private void process(ConsumerRecord<byte[], byte[]> record) throws Exception {
      String program = record.topic().substring(0, record.topic().indexOf('.'));
      ObjectNode document = (ObjectNode) json.readTree(record.value());
      switch (program) {
        case "chain" -> {
          answer(program, "topic", document, EPOCH);
          boolean mixes = plants(program);
          answer(program, "tone", document, mixes ? EPOCH + 1 : EPOCH);
          write(program, record, "", document);
        }
        case "keep" -> {
          boolean wanted = ask(program, "wanted", document, EPOCH, "boolean").asBoolean();
          if (wanted && !plants(program)) {
            answer(program, "topic", document, EPOCH);
            write(program, record, "", document);
          }
        }
        case "many" -> {
          for (JsonNode row : ask(program, "question", document, EPOCH, "array")) {
            ObjectNode output = document.deepCopy();
            output.setAll((ObjectNode) row);
            answer(program, "topic", output, EPOCH);
            String item = "#" + (output.path("item").asInt() + 1);
            write(program, record, item, output);
            if (plants(program)) {
              write(program, record, item, output);
            }
          }
        }
        case "capped" -> {
          if (plants(program)) {
            answer(program, "topic", document, EPOCH);
            document.remove("topic");
          }
          answer(program, "topic", document, EPOCH);
          write(program, record, "", document);
        }
        default -> throw new IllegalStateException(program);
      }
    }

    /** Whether the fault of a program is due; each is planted once. */
    private boolean plants(String program) {
      return faulty && faults.remove(program);
    }

    private void answer(String program, String operator, ObjectNode document, int epoch)
        throws Exception {
      document.set(operator, ask(program, operator, document, epoch, "string"));
    }

    private JsonNode ask(
        String program, String operator, ObjectNode document, int epoch, String type)
        throws Exception {
      ObjectNode request = json.createObjectNode().put("model", model(program, operator, epoch));
      request
          .putArray("messages")
          .add(
              json.createObjectNode()
                  .put("role", "system")
                  .put("content", operator + " (plan " + epoch + ")"))
          .add(json.createObjectNode().put("role", "user").put("content", document.toString()));
      ObjectNode answer =
          request
              .putObject("response_format")
              .putObject("json_schema")
              .putObject("schema")
              .put("type", "object")
              .putObject("properties")
              .putObject("answer")
              .put("type", type);
      ObjectNode row = answer.putObject("items").put("type", "object").putObject("properties");
      row.putObject("question").put("type", "string");
      row.putObject("item").put("type", "integer");
      HttpRequest post =
          HttpRequest.newBuilder(URI.create(models.baseUri("small.1") + "/chat/completions"))
              .POST(HttpRequest.BodyPublishers.ofString(request.toString()))
              .build();
      String response = http.send(post, HttpResponse.BodyHandlers.ofString()).body();
      String content = json.readTree(response).at("/choices/0/message/content").asText();
      return json.readTree(content).path("answer");
    }

    private String model(String program, String operator, int epoch) {
      for (Plan plan : history(traffic, models).plans()) {
        Plan.Step step = plan.steps().get(operator);
        if (plan.program().equals(program) && plan.epoch() == epoch && step != null) {
          return String.valueOf(step.model());
        }
      }
      return "gpt-4o-mini";
    }

    private void write(
        String program, ConsumerRecord<byte[], byte[]> record, String item, ObjectNode output) {
      ProducerRecord<byte[], byte[]> result =
          new ProducerRecord<>(
              program + ".results",
              record.partition(),
              (new String(record.key(), StandardCharsets.UTF_8) + item)
                  .getBytes(StandardCharsets.UTF_8),
              output.toString().getBytes(StandardCharsets.UTF_8));
      byte[] epoch = String.valueOf(EPOCH).getBytes(StandardCharsets.UTF_8);
      result.headers().add("abacus-plan-epoch", epoch);
      var _ = producer.send(result);
    }

    @Override
    public void close() {
      consumer.close();
      producer.close();
    }
  }
}
