package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlRecord;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Mutants on every topic that workers and optimizer read, with good documents between them. In the
 * end every document is accounted for, every refused control record has a rejection, both processes
 * live, and the plan in force is the same, also after a restart. {@code -Dabacus.fuzz.mutants=N}
 * sets the number of mutants, {@code -Dabacus.fuzz.seed=N} the seed.
 */
class FuzzIT {

  private static final int MUTANTS = Integer.getInteger("abacus.fuzz.mutants", 2_000);
  private static final long SEED = Long.getLong("abacus.fuzz.seed", 1);
  private static final int EVERY = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String STEADY = "chain";

  @TempDir Path folder;

  private final ObjectMapper json = new ObjectMapper();
  private final Mutator mutator = new Mutator(SEED);
  private final Random random = new Random(SEED);
  private final Map<String, Integer> resultsByKey = new HashMap<>();
  private final Map<String, Integer> outcomesBySource = new TreeMap<>();
  private final Set<Long> rejectedOffsets = new HashSet<>();
  private final List<RecordMetadata> documents = new ArrayList<>();
  private final Map<Long, String> refusable = new TreeMap<>();
  private final Map<String, JsonNode> status = new HashMap<>();
  private final ReferenceFuzz references = new ReferenceFuzz(SEED);
  private int good;

  @Test
  void whateverIsWrittenToATopicHarmsOnlyItself() throws Exception {
    List<ChaosPrograms> programs = List.of(ChaosPrograms.CHAIN, ChaosPrograms.KEEP);
    ChaosOptions options = new ChaosOptions();
    options.brokers = 1;
    options.programs = programs;
    try (ModelServer models = new ModelServer(programs, 20);
        Fleet fleet = new Fleet(options, folder, models)) {
      ClusterSetup.create(KafkaConnection.to(fleet.bootstrapServers()), programs, Map.of());
      ReferenceFuzz.create(KafkaConnection.to(fleet.bootstrapServers()));
      fleet.start("worker-1");
      fleet.start("optimizer-1");
      try (KafkaProducer<byte[], byte[]> producer = producer(fleet);
          KafkaConsumer<byte[], byte[]> outputs = consumer(fleet)) {
        sendGood(producer);
        await(outputs, fleet, "the first result", () -> resultsByKey.size() == good);

        for (int i = 0; i < MUTANTS; i++) {
          sendMutant(producer, i);
          if (i % EVERY == 0) {
            sendGood(producer);
            references.send(producer);
          }
        }
        producer.flush();
        awaitAll(producer, outputs, fleet);
        fleet.terminate("worker-1");
        fleet.terminate("optimizer-1");
        await(
            outputs,
            fleet,
            "the end of the processes",
            () -> fleet.ended("worker-1") && fleet.ended("optimizer-1"));
        fleet.start("worker-1");
        fleet.start("optimizer-1");
        for (int i = 0; i < EVERY; i++) {
          sendGood(producer);
        }
        long restarted = System.currentTimeMillis();
        awaitAll(producer, outputs, fleet);
        await(
            outputs,
            fleet,
            "a running program after the restart",
            () ->
                statusOfSteady().path("at").asText("").compareTo(instant(restarted)) > 0
                    && statusOfSteady().path("state").asText().equals("RUNNING"));

        assertThat(resultsByKey.values()).containsOnly(1);
        assertThat(outcomesBySource.values()).as("outcomes of a document").containsOnly(1);
        assertThat(statusOfSteady().path("epoch").asLong()).isEqualTo(1);
        assertThat(fleet.processes().line()).startsWith("HOLDS");
      }
    }
  }

  private static String instant(long millis) {
    return Instant.ofEpochMilli(millis).toString();
  }

  private JsonNode statusOfSteady() {
    return status.getOrDefault(STEADY + "/worker-1", json.createObjectNode());
  }

  private void awaitAll(
      KafkaProducer<byte[], byte[]> producer, KafkaConsumer<byte[], byte[]> outputs, Fleet fleet)
      throws Exception {
    await(outputs, fleet, "the good documents", () -> resultsByKey.size() == good);
    await(
        outputs,
        fleet,
        "an outcome of every document",
        () -> documents.stream().allMatch(it -> outcomesBySource.containsKey(source(it))));
    await(
        outputs,
        fleet,
        "a rejection of every hostile control record",
        () -> rejectedOffsets.containsAll(refusable.keySet()));
    await(outputs, fleet, "an outcome of every item", references::isAccountedFor);
    references.ask(producer);
    await(outputs, fleet, "the good items", references::isAnswered);
  }

  private void await(
      KafkaConsumer<byte[], byte[]> outputs, Fleet fleet, String what, BooleanSupplier condition) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      outputs.poll(Duration.ofMillis(100)).forEach(this::read);
      fleet.check();
      assertThat(System.nanoTime()).as(() -> what + ": " + missing()).isLessThan(deadline);
    }
  }

  private String missing() {
    List<String> waiting =
        documents.stream()
            .map(FuzzIT::source)
            .filter(it -> !outcomesBySource.containsKey(it))
            .limit(5)
            .toList();
    Map<Long, String> unrejected = new LinkedHashMap<>(refusable);
    unrejected.keySet().removeAll(rejectedOffsets);
    return "%d of %d good results; documents without outcome %s; control records without rejection %s; %s"
        .formatted(
            resultsByKey.size(),
            good,
            waiting,
            unrejected.entrySet().stream().limit(5).toList(),
            references.missing());
  }

  private void read(ConsumerRecord<byte[], byte[]> record) {
    switch (record.topic()) {
      case "abacus.rejections" -> rejectedOffsets.add(tree(record).path("offset").asLong(-1));
      case "abacus.status" -> {
        JsonNode value = tree(record);
        if (record.key() != null && value.path("at").isTextual()) {
          status.put(text(record.key()), value);
        }
      }
      case "chain.results" -> {
        outcomesBySource.merge(String.valueOf(header(record, "abacus-source")), 1, Integer::sum);
        String key = record.key() == null ? "" : text(record.key());
        if (key.startsWith("good-")) {
          resultsByKey.merge(key, 1, Integer::sum);
          JsonNode value = tree(record);
          assertThat(value.path("topic").asText()).startsWith("plan=1;");
          assertThat(value.path("tone").asText()).startsWith("plan=1;");
        }
      }
      case "chain.dlq" ->
          outcomesBySource.merge(
              "%s-%s@%s"
                  .formatted(
                      header(record, "__streams.errors.topic"),
                      header(record, "__streams.errors.partition"),
                      header(record, "__streams.errors.offset")),
              1,
              Integer::sum);
      default -> references.read(record);
    }
  }

  private JsonNode tree(ConsumerRecord<byte[], byte[]> record) {
    try {
      return record.value() == null ? json.createObjectNode() : json.readTree(record.value());
    } catch (IOException e) {
      return json.createObjectNode();
    }
  }

  static String header(ConsumerRecord<byte[], byte[]> record, String name) {
    Header header = record.headers().lastHeader(name);
    return header == null ? "" : text(header.value());
  }

  static String source(RecordMetadata document) {
    return "%s-%d@%d".formatted(document.topic(), document.partition(), document.offset());
  }

  private void sendGood(KafkaProducer<byte[], byte[]> producer) throws Exception {
    String value =
        "{\"number\":%d,\"text\":\"doc:chain:%d; The parcel is late.\"}".formatted(good, good);
    sendDocument(producer, "good-" + good, utf8(value));
    good++;
  }

  private void sendDocument(KafkaProducer<byte[], byte[]> producer, String key, byte[] value)
      throws Exception {
    documents.add(producer.send(new ProducerRecord<>("chain.documents", utf8(key), value)).get());
  }

  private void sendMutant(KafkaProducer<byte[], byte[]> producer, int number) throws Exception {
    switch (number % 4) {
      case 0 ->
          sendDocument(
              producer,
              "bad-" + number,
              mutator.of(
                  utf8(
                      """
                      {"number":7,"group":"g","list":[1,{"a":"b"}],"text":"doc:none:%d; The parcel is late."}\
                      """
                          .formatted(number))));
      case 1 -> sendHostileControl(producer);
      case 2 -> sendControlOfAnother(producer);
      default -> {
        List<String> topics = FuzzRecords.VALUES.keySet().stream().sorted().toList();
        String topic = topics.get(random.nextInt(topics.size()));
        List<String> values = Objects.requireNonNull(FuzzRecords.VALUES.get(topic));
        List<String> keys = Objects.requireNonNull(FuzzRecords.KEYS.get(topic));
        String key = keys.get(random.nextInt(keys.size()));
        var _ =
            producer.send(
                new ProducerRecord<>(
                    topic,
                    key.isEmpty() && random.nextBoolean() && !compacted(topic) ? null : utf8(key),
                    mutator.of(utf8(values.get(random.nextInt(values.size()))))));
      }
    }
  }

  private static boolean compacted(String topic) {
    return List.of("abacus.status", "abacus.learnt", "abacus.spending").contains(topic);
  }

  /** Records that no decoder may accept, under the keys of the program that must not change. */
  private void sendHostileControl(KafkaProducer<byte[], byte[]> producer) throws Exception {
    List<String> keys =
        List.of(
            "program/chain",
            "plan/chain/1",
            "plan/chain/9",
            "active/chain",
            "objective/chain",
            "budget/chain",
            "pin/chain/topic");
    String key = keys.get(random.nextInt(keys.size()));
    byte[] value = mutator.hostile();
    long offset =
        producer.send(new ProducerRecord<>("abacus.control", utf8(key), value)).get().offset();
    refusable.put(offset, key + " " + text(value).substring(0, Math.min(20, value.length)));
  }

  /** Mutants that may be valid, of a program without documents, and under malformed keys. */
  private void sendControlOfAnother(KafkaProducer<byte[], byte[]> producer) {
    List<ControlRecord> records = ChaosPrograms.KEEP.start();
    ControlRecord record = records.get(random.nextInt(records.size()));
    String key = record.key().path();
    if (random.nextInt(4) == 0) {
      List<String> others =
          List.of(
              "paused/keep", "budget/keep", "objective/keep", "pin/keep/topic", "x", "", "a/b/c/d");
      key = others.get(random.nextInt(others.size()));
    }
    byte[] value = mutator.of(ControlCodec.encode(record));
    var _ = producer.send(new ProducerRecord<>("abacus.control", utf8(key), value));
  }

  private static KafkaProducer<byte[], byte[]> producer(Fleet fleet) {
    return new KafkaProducer<>(
        Map.of("bootstrap.servers", fleet.bootstrapServers()),
        new ByteArraySerializer(),
        new ByteArraySerializer());
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Fleet fleet) {
    KafkaConsumer<byte[], byte[]> consumer =
        new KafkaConsumer<>(
            Map.of(
                "bootstrap.servers", fleet.bootstrapServers(),
                "isolation.level", "read_committed",
                "auto.offset.reset", "earliest"),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    List<TopicPartition> read = new ArrayList<>();
    for (String topic :
        List.of(
            "chain.results",
            "chain.dlq",
            "abacus.rejections",
            "abacus.status",
            "lookup.results",
            "lookup.dlq",
            "lookup.items.embedded")) {
      consumer
          .partitionsFor(topic)
          .forEach(it -> read.add(new TopicPartition(topic, it.partition())));
    }
    consumer.assign(read);
    return consumer;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
