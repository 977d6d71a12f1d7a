package dev.abacus.deploy.endpoint;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** The documents of one program, their results and dead letters. */
final class Flow implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofSeconds(75);

  private final EndpointStack stack;
  private final String program;
  private final String model;
  private final Consumer<byte[], byte[]> consumer;
  private int sent;

  /** Costs in USD of each result of a document. */
  final Map<String, List<Double>> results = new HashMap<>();

  /** Number of dead letters by their reason. */
  final Map<String, Integer> deadLetters = new TreeMap<>();

  private final List<String> status = new ArrayList<>();
  private List<ModelWait> waits = List.of();

  Flow(EndpointStack stack, String program, String model) {
    this.stack = stack;
    this.program = program;
    this.model = model;
    consumer = stack.connection.consumer(Map.of());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic :
        List.of(
            program + ".out",
            KafkaNames.UNPREFIXED.deadLetters(program),
            KafkaNames.UNPREFIXED.status())) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  void send(int documents) throws Exception {
    for (int i = 0; i < documents; i++) {
      sent++;
      stack.send(
          program + ".in",
          "d" + sent,
          "{\"id\": \"d%d\", \"text\": \"message %d\"}".formatted(sent, sent));
    }
  }

  /** Sends a document and waits for its result: the program runs. */
  void begin() throws Exception {
    send(1);
    until("the first result", () -> !results.isEmpty());
  }

  /** Sends documents and waits for their outcomes; returns the seconds that it took. */
  double secondsFor(int documents) throws Exception {
    long began = System.nanoTime();
    send(documents);
    untilAllEnd();
    return (System.nanoTime() - began) / 1e9;
  }

  /** Waits for an outcome of every document. */
  void untilAllEnd() {
    until("all outcomes", () -> results.size() + dead() >= sent);
  }

  /** Does what {@code abacus resume} does. */
  void resume() throws Exception {
    stack.control(new ControlRecord.Paused(program, false, "", "user"));
  }

  /** The last status records of the worker. */
  String status() {
    return String.join("\n", status);
  }

  /** When the calls of the program are tried next; {@link Instant#MIN} if that is not known. */
  Instant nextAttempt() {
    return waits.stream()
        .map(ModelWait::until)
        .filter(Objects::nonNull)
        .max(Comparator.naturalOrder())
        .orElse(Instant.MIN);
  }

  /** Statistics of the model at the endpoint like OpenAI. */
  JsonNode statistics() {
    return stack.openAi.statistics().path("models").path(ServiceTier.standard(model));
  }

  /** Reads results until the condition holds. */
  void until(String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not within %s: %s; %d of %d results, dead letters %s, endpoint %s"
                .formatted(
                    PATIENCE, what, results.size(), sent, deadLetters, stack.openAi.statistics()));
      }
      consumer.poll(Duration.ofMillis(50)).forEach(this::take);
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.topic().equals(program + ".out")) {
      results.computeIfAbsent(key, _ -> new ArrayList<>()).add(cost(record));
    } else if (record.topic().equals(KafkaNames.UNPREFIXED.status())) {
      status.add(record.value() == null ? "" : new String(record.value(), StandardCharsets.UTF_8));
      if (key.startsWith(program + "/") && record.value() != null) {
        waits = waits(record.value());
      }
    } else {
      String message = header(record, Headers.EXCEPTION_MESSAGE);
      deadLetters.merge(message, 1, Integer::sum);
    }
  }

  private static List<ModelWait> waits(byte[] status) {
    try {
      return Json.read(status, InstanceStatus.class).waits();
    } catch (MalformedRecordException e) {
      throw new AssertionError(e);
    }
  }

  private static double cost(ConsumerRecord<byte[], byte[]> record) {
    return Double.parseDouble(header(record, Headers.COST_USD));
  }

  private static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    return new String(record.headers().lastHeader(name).value(), StandardCharsets.UTF_8);
  }

  /** USD of all results. */
  double cost() {
    return results.values().stream().flatMap(List::stream).mapToDouble(Double::doubleValue).sum();
  }

  /** Number of dead letters. */
  int dead() {
    return deadLetters.values().stream().mapToInt(Integer::intValue).sum();
  }

  /** Every document has, in the end, one result and no dead letter. */
  void assertAllAnsweredOnce() {
    untilAllEnd();
    assertThat(deadLetters).as("dead letters of %d documents", sent).isEmpty();
    assertThat(results).hasSize(sent);
    assertThat(results.values()).allSatisfy(costs -> assertThat(costs).hasSize(1));
  }

  @Override
  public void close() {
    consumer.close();
  }
}
