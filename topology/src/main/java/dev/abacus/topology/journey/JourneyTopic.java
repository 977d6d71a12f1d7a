package dev.abacus.topology.journey;

import dev.abacus.schemas.kafka.KafkaNames;
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
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes journeys to the topic of a program, on a thread of its own, and creates the topic before
 * the first. If Kafka takes no journey, those of the next seconds are lost.
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
  private final Producer<byte[], byte[]> producer;
  private boolean exists;

  private JourneyTopic(
      TopicSpec topic, short replicationFactor, Admin admin, Producer<byte[], byte[]> producer) {
    this.topic = topic;
    this.replicationFactor = replicationFactor;
    this.admin = admin;
    this.producer = producer;
  }

  /**
   * The writer of a program's journeys.
   *
   * @param clients properties of Kafka clients that redact secrets
   * @param replicationFactor of the topic if it does not exist; -1 for the broker's default
   */
  public static JourneyTopic of(
      String program, Map<String, Object> clients, Admin admin, short replicationFactor) {
    Map<String, Object> properties = new HashMap<>(clients);
    properties.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, BLOCK_MILLIS);
    properties.put(ProducerConfig.COMPRESSION_TYPE_CONFIG, "lz4");
    return new JourneyTopic(
        TopicSpec.ofJourneys(KafkaNames.of(clients), program),
        replicationFactor,
        admin,
        new KafkaProducer<>(properties, new ByteArraySerializer(), new ByteArraySerializer()));
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
    if (!exists) {
      TopicSetup.ensure(admin, List.of(topic), replicationFactor);
      exists = true;
    }
    var _ =
        producer.send(
            new ProducerRecord<>(topic.name(), key, value),
            (_, failure) -> {
              if (failure != null) {
                LOG.warn("Lost a journey on {}: {}", topic.name(), failure.toString());
              }
            });
  }

  @Override
  public void close() {
    producer.close(CLOSE);
  }
}
