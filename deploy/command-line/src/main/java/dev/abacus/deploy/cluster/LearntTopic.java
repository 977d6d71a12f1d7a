package dev.abacus.deploy.cluster;

import dev.abacus.optimizer.api.LearnedOperators;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.observation.Observation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.jspecify.annotations.Nullable;

/**
 * What the programs of a cluster have learnt of implementations, and what users believe of them.
 */
public final class LearntTopic {

  private final KafkaConnection connection;

  public LearntTopic(KafkaConnection connection) {
    this.connection = connection;
  }

  /**
   * Gives a program priors, or takes them back.
   *
   * @param json the text of a priors file; null to take them back
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void give(String program, @Nullable String json) {
    connection.requireTopics(List.of(Topics.LEARNT));
    byte[] key = LearnedOperators.priorsKey(program);
    byte @Nullable [] value = json == null ? null : json.getBytes(StandardCharsets.UTF_8);
    // A belief of every implementation of many operators is a large record.
    try (Producer<byte[], byte[]> producer =
        connection.producer(
            Map.of("compression.type", "gzip", "max.request.size", 16 * 1024 * 1024))) {
      producer.send(new ProducerRecord<>(Topics.LEARNT, key, value)).get();
    } catch (KafkaException | ExecutionException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(e);
    }
  }

  /** What the searches of all programs have learned. */
  public LearnedOperators learned() {
    connection.requireTopics(List.of(Topics.LEARNT));
    LearnedOperators learned = new LearnedOperators();
    TopicReader.read(
        connection, Topics.LEARNT, record -> learned.apply(record.key(), record.value()));
    return learned;
  }

  /** Every observation of a program's samples. */
  public List<Observation> observations(String program) {
    String topic = Topics.observations(program);
    connection.requireTopics(List.of(topic));
    List<Observation> observations = new ArrayList<>();
    TopicReader.read(
        connection,
        topic,
        record -> {
          try {
            if (record.value() != null) {
              observations.add(Json.read(record.value(), Observation.class));
            }
          } catch (MalformedRecordException e) {
            // The optimizer passes it over as well.
          }
        });
    return observations;
  }

  private static OperationFailedException refused(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new OperationFailedException(
        "no priors were given: Kafka did not take the record: " + cause.getMessage(),
        "Check the connection and whether this user may write to " + Topics.LEARNT + ".",
        e);
  }
}
