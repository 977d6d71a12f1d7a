package dev.abacus.deploy.cluster;

import dev.abacus.optimizer.api.LearnedOperators;
import dev.abacus.schemas.observation.Observation;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/**
 * Reads and writes measurements of implementations and priors on the topic {@code abacus.learnt}.
 */
public final class LearnedTopic {

  private final KafkaConnection connection;

  public LearnedTopic(KafkaConnection connection) {
    this.connection = connection;
  }

  /**
   * Sets or removes the priors of a program.
   *
   * @param json the text of a priors file; null to take them back
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void give(String program, @Nullable String json) {
    byte[] key = LearnedOperators.priorsKey(program);
    byte @Nullable [] value = json == null ? null : json.getBytes(StandardCharsets.UTF_8);
    // Priors of all implementations of many operators make a large record.
    connection.send(
        List.of(new ProducerRecord<>(connection.names().learnt(), key, value)),
        Map.of("compression.type", "gzip", "max.request.size", 16 * 1024 * 1024),
        "no priors were given");
  }

  /** What the searches of all programs have learned. */
  public LearnedOperators learned() {
    String topic = connection.names().learnt();
    connection.requireTopics(List.of(topic));
    LearnedOperators learned = new LearnedOperators();
    TopicReader.read(connection, topic, record -> learned.apply(record.key(), record.value()));
    return learned;
  }

  /** All observations of a program. */
  public List<Observation> observations(String program) {
    String topic = connection.names().observations(program);
    connection.requireTopics(List.of(topic));
    return TopicReader.values(connection, topic, Observation.class);
  }
}
