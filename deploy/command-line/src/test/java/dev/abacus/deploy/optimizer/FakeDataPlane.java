package dev.abacus.deploy.optimizer;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SemanticFilter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Reads all topics, keeps every record, and answers as many sample tasks as it may. */
final class FakeDataPlane implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Consumer<byte[], byte[]> consumer;
  private final Producer<byte[], byte[]> producer;
  private final Deque<SampleTask> waiting = new ArrayDeque<>();
  private final List<SampleTask> taken = new ArrayList<>();
  private int mayAnswer = Integer.MAX_VALUE;

  /** Every record of every topic so far. */
  final List<ConsumerRecord<byte[], byte[]>> seen = new ArrayList<>();

  FakeDataPlane(String bootstrapServers) {
    consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", bootstrapServers,
                "group.id", "fake-data-plane",
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest",
                "metadata.max.age.ms", "300"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.subscribe(Pattern.compile("[^_].*"));
    producer =
        new KafkaProducer<>(
            Map.of("bootstrap.servers", bootstrapServers),
            new ByteArraySerializer(),
            new ByteArraySerializer());
  }

  void produce(String topic, String key, byte[] value) throws Exception {
    producer.send(new ProducerRecord<>(topic, key.getBytes(StandardCharsets.UTF_8), value)).get();
  }

  void produce(String topic, String key, String value) throws Exception {
    produce(topic, key, value.getBytes(StandardCharsets.UTF_8));
  }

  /** Sends a corrected result of a document. */
  void produce(String topic, String key, String value, String document) throws Exception {
    ProducerRecord<byte[], byte[]> record =
        new ProducerRecord<>(
            topic, key.getBytes(StandardCharsets.UTF_8), value.getBytes(StandardCharsets.UTF_8));
    record.headers().add(Headers.SOURCE, document.getBytes(StandardCharsets.UTF_8));
    producer.send(record).get();
  }

  /** Answers no more than so many tasks from now on. */
  void answerOnly(int tasks) {
    mayAnswer = tasks;
  }

  /** Works until the condition holds. */
  void workUntil(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError("not within " + PATIENCE + ": " + what);
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(50))) {
        seen.add(record);
        if (record.topic().endsWith(".samples")) {
          take(record);
        }
      }
      while (mayAnswer > 0 && !waiting.isEmpty()) {
        mayAnswer--;
        answer(waiting.remove());
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) {
    try {
      SampleTask task = Json.read(record.value(), SampleTask.class);
      waiting.add(task);
      taken.add(task);
    } catch (MalformedRecordException e) {
      // One of those that the tests put there to be passed over.
    }
  }

  private void answer(SampleTask task) throws Exception {
    Observation observation = observation(task);
    produce(KafkaNames.UNPREFIXED.observations(task.program()), task.id(), Json.write(observation));
  }

  private static Observation observation(SampleTask task) {
    int hash = Math.floorMod((task.operator().id() + task.physical().id()).hashCode(), 1000);
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(
            List.of(
                task.operator() instanceof SemanticFilter
                    ? task.input()
                    : task.input()
                        .with(
                            task.operator().writtenFields().getFirst(),
                            JsonNodeFactory.instance.textNode("card_lost"))))
        .quality(hash / 1000.0)
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(0.0001 + hash / 1e6)
        .latency(0.5)
        .build();
  }

  /** Values of one topic under keys that start so, as text, in order. */
  List<String> values(String topic, String keyPrefix) {
    return seen.stream()
        .filter(record -> record.topic().equals(topic))
        .filter(record -> text(record.key()).startsWith(keyPrefix))
        .map(record -> text(record.value()))
        .toList();
  }

  /** Ids of the sample tasks of a program, in order. */
  List<String> sampleIds(String program) {
    return taken.stream()
        .filter(task -> task.program().equals(program))
        .map(SampleTask::id)
        .toList();
  }

  /** Number of invocations of a program: the samples of a call for several documents are one. */
  long invocations(String program) {
    return keys(KafkaNames.UNPREFIXED.samples(program)).stream().distinct().count();
  }

  /** Whether the optimizer reports that the search is finished, with a new plan or the old one. */
  boolean isFinished(String program) {
    List<String> reports = values(KafkaNames.UNPREFIXED.status(), program + "/optimizer");
    return !reports.isEmpty() && reports.getLast().contains("\"phase\":\"FINISHED\"");
  }

  /** Keys of one topic, in order. */
  List<String> keys(String topic) {
    return seen.stream()
        .filter(record -> record.topic().equals(topic))
        .map(record -> text(record.key()))
        .toList();
  }

  static String text(byte @Nullable [] bytes) {
    return bytes == null ? "" : new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
  }
}
