package dev.abacus.topology;

import java.time.Duration;
import java.util.Properties;
import org.apache.kafka.streams.CloseOptions;
import org.apache.kafka.streams.CloseOptions.GroupMembershipOperation;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.errors.StreamsUncaughtExceptionHandler.StreamThreadExceptionResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running Kafka Streams application. It replaces stream threads that die. */
final class StreamsApplication implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StreamsApplication.class);
  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(20);

  /** Prevents a hot loop when each new thread dies at once. */
  private static final Duration REPLACEMENT_DELAY = Duration.ofSeconds(1);

  private final String name;
  private final KafkaStreams streams;

  private StreamsApplication(String name, KafkaStreams streams) {
    this.name = name;
    this.streams = streams;
  }

  /** Starts a topology. */
  static StreamsApplication start(String name, Topology topology, Properties properties) {
    KafkaStreams streams = new KafkaStreams(topology, properties);
    StreamsApplication application = new StreamsApplication(name, streams);
    streams.setUncaughtExceptionHandler(application::replace);
    streams.start();
    return application;
  }

  /** Pending records are in their stores, so a new thread resumes them. */
  private StreamThreadExceptionResponse replace(Throwable cause) {
    LOG.error("A stream thread of {} died and is replaced", name, cause);
    try {
      Thread.sleep(REPLACEMENT_DELAY);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return StreamThreadExceptionResponse.SHUTDOWN_CLIENT;
    }
    return StreamThreadExceptionResponse.REPLACE_THREAD;
  }

  /** Stops processing until {@link #resume}. Calls that are running end. */
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

  /** {@code PAUSED}, or the state of Kafka Streams. */
  String state() {
    return streams.isPaused() ? "PAUSED" : streams.state().name();
  }

  /** Leaves the group at once; the next owners of the partitions resume the pending records. */
  @Override
  public void close() {
    // Without leaving, the group waits for a session timeout before it moves the partitions.
    CloseOptions leaving =
        CloseOptions.timeout(CLOSE_TIMEOUT)
            .withGroupMembershipOperation(GroupMembershipOperation.LEAVE_GROUP);
    if (!streams.close(leaving)) {
      LOG.warn("{} did not stop within {}", name, CLOSE_TIMEOUT);
    }
  }
}
