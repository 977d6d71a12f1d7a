package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.KafkaNames;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;

/** Writes orders to the topic of the answer store. */
public final class AnswersTopic {

  private AnswersTopic() {}

  /**
   * Clears the answers that were given before.
   *
   * @param model name in the catalogue; null for all models
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public static void clear(KafkaConnection connection, @Nullable String model) {
    byte[] key = KafkaNames.clearedAnswers(model).getBytes(StandardCharsets.UTF_8);
    connection.send(
        List.of(new ProducerRecord<>(connection.names().answers(), 0, key, new byte[0])),
        Map.of(),
        "no answers were cleared");
  }
}
