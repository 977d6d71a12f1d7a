package dev.abacus.deploy.reference;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A reference on a real broker: followed by two instances, embedded by one of them. */
class ReferenceIT {

  private static final int ITEMS = 500;
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Duration SOON = Duration.ofSeconds(1);

  /** How often a change may come late on a machine that others use too. */
  private static final int TRIES = 20;

  private static final String PROGRAM =
      """
      program: fruit-shop
      sources: { wishes: { topic: wishes } }
      references:
        fruit: { topic: fruit, key: name, embed: [text] }
      operators:
        - topk: find
          from: fruit
          query: [text]
          k: 3
          writes: found
      results: { topic: found }
      objective: maximize quality
      """;

  @TempDir private Path state;

  @Test
  void itemsAreEmbeddedOnceAndChangesAreSeenEverywhereWithinASecond() throws Exception {
    Program program = new ProgramParser(ModelCatalogue.builtIn()).parse(PROGRAM);
    try (LocalKafka kafka = LocalKafka.start();
        KafkaProducer<String, byte[]> producer =
            new KafkaProducer<>(
                Map.of("bootstrap.servers", kafka.bootstrapServers()),
                new StringSerializer(),
                new ByteArraySerializer())) {
      createTopics(kafka, program);
      for (int i = 0; i < ITEMS; i++) {
        send(producer, "item-" + i, "text number " + i);
      }
      sendValue(producer, "broken", "{");
      CountingEmbedder embedder = new CountingEmbedder();
      int size;
      try (FollowedReference left = open(kafka, program, "left", embedder);
          FollowedReference right = open(kafka, program, "right", embedder)) {
        await(() -> left.isComplete() && right.isComplete(), "both are complete");
        assertThat(left.size()).isEqualTo(ITEMS);
        assertThat(right.size()).isEqualTo(ITEMS);
        assertThat(embedder.texts()).isEqualTo(ITEMS);

        changesAreSeenSoon(producer, List.of(left, right));
        size = left.size();
      }

      // What is there is not embedded again, whoever starts, and whatever is sent again.
      int before = embedder.texts();
      try (FollowedReference again = open(kafka, program, "left", embedder);
          FollowedReference fresh = open(kafka, program, "new", embedder)) {
        await(() -> again.isComplete() && fresh.isComplete(), "both are complete again");
        assertThat(again.size()).isEqualTo(size);
        assertThat(fresh.size()).isEqualTo(size);
        send(producer, "item-7", "text number 7");
        send(producer, "last", "the last");
        await(() -> fresh.text("last") != null, "the last item");
        assertThat(embedder.texts()).isEqualTo(before + 1);
      }
    }
  }

  private void changesAreSeenSoon(
      KafkaProducer<String, byte[]> producer, List<FollowedReference> instances) throws Exception {
    soon(
        "insert",
        i -> {
          send(producer, "fresh-" + i, "fresh");
          return () -> all(instances, "fresh-" + i, "fresh");
        });
    soon(
        "update",
        i -> {
          send(producer, "item-3", "updated " + i);
          return () -> all(instances, "item-3", "updated " + i);
        });
    soon(
        "tombstone",
        i -> {
          String key = "passing-" + i;
          send(producer, key, "passing");
          await(() -> all(instances, key, "passing"), key);
          sendValue(producer, key, null);
          return () -> all(instances, key, null);
        });
  }

  private static boolean all(List<FollowedReference> instances, String key, @Nullable String text) {
    return instances.stream().allMatch(instance -> Objects.equals(instance.text(key), text));
  }

  @FunctionalInterface
  private interface Change {
    BooleanSupplier make(int number) throws Exception;
  }

  /** Every change is seen; one of a few tries is seen within a second. */
  private static void soon(String what, Change change) throws Exception {
    Duration best = PATIENCE;
    for (int i = 0; i < TRIES && best.compareTo(SOON) >= 0; i++) {
      BooleanSupplier seen = change.make(i);
      long start = System.nanoTime();
      await(seen, what);
      Duration took = Duration.ofNanos(System.nanoTime() - start);
      best = took.compareTo(best) < 0 ? took : best;
    }
    System.out.printf("%s seen by both instances after %d ms%n", what, best.toMillis());
    assertThat(best).as(what).isLessThan(SOON);
  }

  private static void await(BooleanSupplier condition, String what) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("still waiting: " + what).isLessThan(deadline);
      LockSupport.parkNanos(2_000_000);
    }
  }

  private FollowedReference open(
      LocalKafka kafka, Program program, String instance, CountingEmbedder embedder) {
    return FollowedReference.open(
        kafka.bootstrapServers(), state.resolve(instance), program, embedder);
  }

  private static void createTopics(LocalKafka kafka, Program program) throws Exception {
    try (Admin admin = Admin.create(Map.of("bootstrap.servers", kafka.bootstrapServers()))) {
      TopicSetup.ensure(
          admin,
          List.of(
              new TopicSpec("fruit", 2, Map.of("cleanup.policy", "compact")),
              TopicSpec.ofReference(
                  KafkaNames.UNPREFIXED, program, program.references().getFirst(), 2),
              TopicSpec.ofDeadLetters(KafkaNames.UNPREFIXED, program, 1)),
          (short) 1);
    }
  }

  private static void send(KafkaProducer<String, byte[]> producer, String key, String text)
      throws Exception {
    JsonNode item = JsonNodeFactory.instance.objectNode().put("name", key).put("text", text);
    sendValue(producer, key, item.toString());
  }

  private static void sendValue(
      KafkaProducer<String, byte[]> producer, String key, @Nullable String value) throws Exception {
    producer
        .send(
            new ProducerRecord<>(
                "fruit", key, value == null ? null : value.getBytes(StandardCharsets.UTF_8)))
        .get();
  }
}
