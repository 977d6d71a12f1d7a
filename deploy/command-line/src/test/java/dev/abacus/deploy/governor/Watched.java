package dev.abacus.deploy.governor;

import dev.abacus.schemas.control.ControlCodec;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.value.RecordValues;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/** One program as it is seen on its topics, and a feed of documents for it. */
final class Watched implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private final Stack stack;
  private final String program;
  private final Consumer<byte[], byte[]> consumer;
  private final AtomicInteger sent = new AtomicInteger();
  private final java.util.concurrent.ScheduledExecutorService feeder =
      java.util.concurrent.Executors.newSingleThreadScheduledExecutor();

  /** Moves of the active epoch, in order. */
  final List<ControlRecord.Activated> moves = new ArrayList<>();

  final List<PhysicalPlan> plans = new ArrayList<>();
  final List<ControlRecord.Paused> pauses = new ArrayList<>();
  final List<String> tokens = new ArrayList<>();
  final List<String> results = new ArrayList<>();
  final List<String> deadLetters = new ArrayList<>();
  final List<SampleTask> samples = new ArrayList<>();

  Watched(Stack stack, String program) {
    this.stack = stack;
    this.program = program;
    consumer = stack.connection.consumer(Map.of());
    List<TopicPartition> partitions = new ArrayList<>();
    for (String topic :
        List.of(
            KafkaNames.UNPREFIXED.control(),
            program + ".out",
            KafkaNames.UNPREFIXED.deadLetters(program),
            KafkaNames.UNPREFIXED.samples(program))) {
      consumer
          .partitionsFor(topic)
          .forEach(info -> partitions.add(new TopicPartition(topic, info.partition())));
    }
    consumer.assign(partitions);
    consumer.seekToBeginning(partitions);
  }

  /** Sends so many documents at once. */
  void send(int documents) throws Exception {
    for (int i = 0; i < documents; i++) {
      sendOne();
    }
  }

  /** Sends a document that often until {@link #stop}. */
  void feed(Duration every) {
    var _ =
        feeder.scheduleAtFixedRate(
            () -> {
              try {
                sendOne();
              } catch (Exception e) {
                throw new IllegalStateException(e);
              }
            },
            0,
            every.toMillis(),
            TimeUnit.MILLISECONDS);
  }

  private void sendOne() throws Exception {
    int number = sent.incrementAndGet();
    stack.send(
        program + ".in",
        "d" + number,
        "{\"id\": \"d%d\", \"text\": \"message %d\"}".formatted(number, number));
  }

  void stop() throws InterruptedException {
    feeder.shutdown();
    boolean _ = feeder.awaitTermination(10, TimeUnit.SECONDS);
  }

  int sent() {
    return sent.get();
  }

  /** Reads on until the condition holds. */
  void until(String what, BooleanSupplier condition) throws Exception {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() > deadline) {
        throw new AssertionError(
            "not within %s: %s; moves %s, pauses %s, tokens %s, %d of %d results"
                .formatted(PATIENCE, what, moves, pauses, tokens, results.size(), sent.get()));
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(Duration.ofMillis(100))) {
        take(record);
      }
    }
  }

  private void take(ConsumerRecord<byte[], byte[]> record) throws Exception {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (record.topic().equals(KafkaNames.UNPREFIXED.control())) {
      ControlKey parsed = ControlKey.parse(key);
      if (parsed.program().equals(program)) {
        control(
            new ControlCodec(stack.catalogue, RecordValues.WITHOUT_REGISTRY)
                .decode(parsed, record.value()));
      }
    } else if (record.topic().equals(program + ".out")) {
      results.add(key);
    } else if (record.topic().equals(KafkaNames.UNPREFIXED.samples(program))) {
      samples.add(Json.read(record.value(), SampleTask.class));
    } else {
      deadLetters.add(key);
    }
  }

  private void control(@org.jspecify.annotations.Nullable ControlRecord record) {
    switch (record) {
      case ControlRecord.Activated activated -> moves.add(activated);
      case ControlRecord.PlanPublished published -> plans.add(published.plan());
      case ControlRecord.Paused paused -> pauses.add(paused);
      case ControlRecord.Reoptimize reoptimize -> tokens.add(reoptimize.token());
      case null, default -> {
        // What the test itself wrote.
      }
    }
  }

  /** The epoch's plan. */
  PhysicalPlan plan(long epoch) {
    return plans.stream().filter(plan -> plan.epoch() == epoch).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    feeder.shutdownNow();
    consumer.close();
  }
}
