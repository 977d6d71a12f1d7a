package dev.abacus.deploy.runtime;

import dev.abacus.topology.runtime.AsyncProcessorSupplier;
import dev.abacus.topology.runtime.RuntimeListener;
import dev.abacus.topology.runtime.RuntimeServices;
import dev.abacus.topology.runtime.RuntimeSettings;
import dev.abacus.topology.runtime.StreamsSettings;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;

/** One Kafka Streams instance with one asynchronous processor between topics "in" and "out". */
final class Instance implements AutoCloseable {
  private final Poison poison;
  private final KafkaStreams streams;
  private final CountDownLatch died = new CountDownLatch(1);

  private Instance(Poison poison, KafkaStreams streams) {
    this.poison = poison;
    this.streams = streams;
  }

  /** Makes the stream thread die the next time that its punctuator comes round. */
  private record Poison(AtomicBoolean taken) implements RuntimeListener {
    @Override
    public void pending(int partition, int records) {
      if (taken.get()) {
        throw new IllegalStateException("simulated crash of the stream thread");
      }
    }
  }

  /** An instance that hears of nothing and can be crashed. */
  static Instance mortal(
      String bootstrapServers,
      Path state,
      SimulatedWork work,
      RuntimeSettings settings,
      RuntimeServices services) {
    Poison poison = new Poison(new AtomicBoolean());
    return start(
        bootstrapServers,
        state,
        work,
        settings,
        services.withListener(poison),
        Map.of("session.timeout.ms", "3000", "heartbeat.interval.ms", "500"),
        poison);
  }

  static Instance start(
      String bootstrapServers,
      Path state,
      SimulatedWork work,
      RuntimeSettings settings,
      RuntimeServices services,
      Map<String, String> overrides) {
    return start(
        bootstrapServers,
        state,
        work,
        settings,
        services,
        overrides,
        new Poison(new AtomicBoolean()));
  }

  private static Instance start(
      String bootstrapServers,
      Path state,
      SimulatedWork work,
      RuntimeSettings settings,
      RuntimeServices services,
      Map<String, String> overrides,
      Poison poison) {
    StreamsSettings properties =
        new StreamsSettings(
            "runtime-it",
            bootstrapServers,
            state.toString(),
            1,
            64L << 20,
            settings.recordLimit(),
            overrides);
    KafkaStreams streams =
        new KafkaStreams(topology(work, settings, services), properties.toProperties());
    Instance instance = new Instance(poison, streams);
    streams.setUncaughtExceptionHandler(crash -> StreamThreadExceptionResponse.SHUTDOWN_CLIENT);
    streams.setStateListener((now, before) -> {
      if (now == KafkaStreams.State.ERROR) {
        instance.died.countDown();
      }
    });
    streams.start();
    return instance;
  }

  private static Topology topology(
      SimulatedWork work, RuntimeSettings settings, RuntimeServices services) {
    return new Topology()
        .addSource("source", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "in")
        .addProcessor(
            "async", new AsyncProcessorSupplier("pending", work, settings, services), "source")
        .addSink(
            SimulatedWork.RESULTS,
            "out",
            new ByteArraySerializer(),
            new ByteArraySerializer(),
            "async");
  }

  /** Dies in the middle of a transaction, without committing, and waits until it is dead. */
  void crash() throws InterruptedException {
    poison.taken().set(true);
    if (!died.await(60, TimeUnit.SECONDS)) {
      throw new IllegalStateException("the instance did not die");
    }
    streams.close(Duration.ofSeconds(30));
  }

  @Override
  public void close() {
    streams.close(Duration.ofSeconds(30));
  }
}
