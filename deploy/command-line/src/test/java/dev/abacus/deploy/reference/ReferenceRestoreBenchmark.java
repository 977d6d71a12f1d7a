package dev.abacus.deploy.reference;

import dev.abacus.deploy.local.LocalKafka;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.kafka.Headers;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.topology.reference.EmbeddedItem;
import dev.abacus.topology.reference.EmbeddedItemCodec;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.feed.ReferenceFollower;
import dev.abacus.topology.reference.index.AdaptiveIndex;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * How long a reference of 100,000 items takes to be restored from its embedded topic, and what it
 * takes of the heap. Not a test: run {@link #main}.
 */
final class ReferenceRestoreBenchmark {

  private static final int ITEMS = 100_000;

  private ReferenceRestoreBenchmark() {}

  /** Runs it and prints the figures. */
  public static void main(String[] arguments) throws Exception {
    try (LocalKafka kafka = LocalKafka.start()) {
      fill(kafka.bootstrapServers());
      long heapBefore = heap();
      CountDownLatch complete = new CountDownLatch(1);
      Path folder = Files.createTempDirectory("vectors");
      long start = System.nanoTime();
      ReferenceCollection collection =
          new ReferenceCollection(
              "fruit",
              "name",
              dimensions ->
                  new AdaptiveIndex(
                      dimensions,
                      folder,
                      new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC())
                          .watch("graphs")));
      try (ReferenceFollower follower =
          new ReferenceFollower(
              new KafkaConsumer<>(
                  Map.of(
                      "bootstrap.servers",
                      kafka.bootstrapServers(),
                      "isolation.level",
                      "read_committed",
                      "enable.auto.commit",
                      false,
                      "max.poll.records",
                      5_000),
                  new ByteArrayDeserializer(),
                  new ByteArrayDeserializer()),
              "fruit",
              "embedded",
              collection,
              new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()),
              complete::countDown)) {
        complete.await();
        double seconds = (System.nanoTime() - start) / 1e9;
        long heap = (heap() - heapBefore) >> 20;
        System.out.printf(
            "%,d items x %d: complete after %.1f s, %d MB of heap, follower %s%n",
            collection.size(), CountingEmbedder.DIMENSIONS, seconds, heap, follower.isComplete());
      }
      collection.close();
      System.out.printf("with the graph: %.1f s%n", (System.nanoTime() - start) / 1e9);
    }
  }

  private static void fill(String bootstrapServers) throws Exception {
    Map<String, Object> client = Map.of("bootstrap.servers", bootstrapServers);
    try (Admin admin = Admin.create(client)) {
      Map<String, String> compacted = Map.of("cleanup.policy", "compact");
      TopicSetup.ensure(
          admin,
          List.of(new TopicSpec("fruit", 1, compacted), new TopicSpec("embedded", 1, compacted)),
          (short) 1);
    }
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(client, new ByteArraySerializer(), new ByteArraySerializer())) {
      for (int i = 0; i < ITEMS; i++) {
        byte[] key = ("item-" + i).getBytes(StandardCharsets.UTF_8);
        String text = "A description of item %d that is about as long as a sentence.".formatted(i);
        byte[] json =
            Document.parse("{\"name\": \"item-%d\", \"text\": \"%s\"}".formatted(i, text))
                .toBytes();
        EmbeddedItem item =
            new EmbeddedItem(
                "%064x".formatted(i),
                json,
                Map.of("counting", CountingEmbedder.of(text).toArray()),
                Map.of());
        ProducerRecord<byte[], byte[]> embedded =
            new ProducerRecord<>("embedded", key, EmbeddedItemCodec.LAYOUT.toBytes(item));
        embedded.headers().add(Headers.SOURCE, ("fruit-0@" + i).getBytes(StandardCharsets.UTF_8));
        // A failed send is noticed by the flush.
        var _ = producer.send(new ProducerRecord<>("fruit", 0, key, json));
        var _ = producer.send(embedded);
      }
      producer.flush();
    }
  }

  private static long heap() {
    System.gc();
    return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed();
  }
}
