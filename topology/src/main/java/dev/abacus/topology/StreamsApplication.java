package dev.abacus.topology;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One running Kafka Streams application: the documents, or the samples, of a program. */
final class StreamsApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(20);

  /** A thread that died is replaced, but not in a hot loop. */
  private static final Duration BEFORE_REPLACEMENT = Duration.ofSeconds(1);

  private final String name;
  private final KafkaStreams streams;

  private StreamsApplication(String name, KafkaStreams streams) {
    this.name = name;
    this.streams = streams;
  }

  /** Starts a topology. */
  static StreamsApplication start(String name, Topology topology, Properties properties) {
    KafkaStreams streams = new KafkaStreams(topology, properties);
    StreamsApplication plane = new StreamsApplication(name, streams);
    streams.setUncaughtExceptionHandler(plane::replace);
    streams.start();
    return plane;
  }

  /** Work in flight survives in the pending store, so going on with a fresh thread is safe. */
  private StreamThreadExceptionResponse replace(Throwable cause) {
    LOG.error("A stream thread of {} died and is replaced", name, cause);
    try {
      Thread.sleep(BEFORE_REPLACEMENT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Takes no more documents until {@link #resume}; those in flight are finished by the models. */
  void pause() {
    if (!streams.isPaused()) {
      streams.pause();
    }
  }

  void resume() {
    if (streams.isPaused()) {
      streams.resume();
    }
  }

  /** {@code PAUSED}, or Kafka Streams' own word. */
  String state() {
    return streams.isPaused() ? "PAUSED" : streams.state().name();
  }

  @Override
  public void close() {
    if (!streams.close(LONGEST_CLOSE)) {
      LOG.warn("{} did not stop within {}", name, LONGEST_CLOSE);
    }
  }
}
