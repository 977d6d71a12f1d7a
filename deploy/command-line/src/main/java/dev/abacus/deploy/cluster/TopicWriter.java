package dev.abacus.deploy.cluster;

import dev.abacus.optimizer.api.LearnedOperators;
import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes what a user tells workers and optimizer beside the desired state. */
public final class TopicWriter {

  private TopicWriter() {}

  /**
   * Clears the answers that were given before from the answer store.
   *
   * @param model name in the catalogue; null for all models
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static void clearAnswers(KafkaConnection connection, @Nullable String model) {
    byte[] key = KafkaNames.clearedAnswers(model).getBytes(StandardCharsets.UTF_8);
    connection.send(
        List.of(new ProducerRecord<>(connection.names().answers(), 0, key, new byte[0])),
        Map.of(),
        "no answers were cleared");
  }

  /**
   * Sets or removes the priors of a program.
   *
   * @param json the text of a priors file; null to take them back
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static void givePriors(KafkaConnection connection, String program, @Nullable String json) {
    byte[] key = LearnedOperators.priorsKey(program);
    byte @Nullable [] value = json == null ? null : json.getBytes(StandardCharsets.UTF_8);
    // Priors of all implementations of many operators make a large record.
    connection.send(
        List.of(new ProducerRecord<>(connection.names().learnt(), key, value)),
        Map.of("compression.type", "gzip", "max.request.size", 16 * 1024 * 1024),
        "no priors were given");
  }
}
