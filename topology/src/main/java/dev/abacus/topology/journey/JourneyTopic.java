package dev.abacus.topology.journey;

import dev.abacus.schemas.kafka.ByteClients;
import dev.abacus.schemas.kafka.TopicSetup;
import dev.abacus.schemas.kafka.TopicSpec;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes journeys, and outcomes of replays, to a topic of a program, beside the transactions of
 * documents, and creates the topic before the first record. If Kafka takes no record, those of the
 * next seconds are lost. Thread-safe.
 */
public final class JourneyTopic implements Journeys.Writer {

  private static final Logger LOG = LoggerFactory.getLogger(JourneyTopic.class);

  /** Journeys that wait for the thread; further ones are lost. */
  private static final int MOST_WAITING = 64;

  private static final int BLOCK_MILLIS = 5_000;
  private static final Duration CLOSE = Duration.ofSeconds(2);

  private final TopicSpec topic;
  private final short replicationFactor;
  private final Admin admin;
  private final Map<String, Object> properties;
  private @Nullable Producer<byte[], byte[]> producer;

  /**
   * The writer of a topic. It connects with the first record.
   *
   * @param clients properties of Kafka clients that redact secrets
   * @param replicationFactor of the topic if it does not exist; -1 for the broker's default
   */
  public JourneyTopic(
      TopicSpec topic, Map<String, Object> clients, Admin admin, short replicationFactor) {
    this.topic = topic;
    this.replicationFactor = replicationFactor;
    this.admin = admin;
    this.properties = new HashMap<>(clients);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
  }

  /** A thread for a writer; it refuses work while too many journeys wait. */
  public static ExecutorService thread(String program) {
    return new ThreadPoolExecutor(
        1,
        1,
        0,
        TimeUnit.SECONDS,
        new ArrayBlockingQueue<>(MOST_WAITING),
        Thread.ofVirtual().name("abacus-journeys-" + program).factory());
  }

  @Override
  public void write(byte[] key, byte[] value) throws InterruptedException {
    var _ =
        connected()
            .send(
                new ProducerRecord<>(topic.name(), key, value),
                (_, failure) -> {
                  if (failure != null) {
                    LOG.warn("Lost a record of {}: {}", topic.name(), failure.toString());
                  }
                });
  }

  private synchronized Producer<byte[], byte[]> connected() throws InterruptedException {
    Producer<byte[], byte[]> open = producer;
    if (open == null) {
      TopicSetup.ensure(admin, List.of(topic), replicationFactor);
      open = ByteClients.producer(properties);
      producer = open;
    }
    return open;
  }

  @Override
  public synchronized void close() {
    if (producer != null) {
      producer.close(CLOSE);
    }
  }
}
