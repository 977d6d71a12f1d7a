package dev.abacus.deploy.cluster;

import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
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
    connection.requireTopics(List.of(Topics.ANSWERS));
    try (Producer<byte[], byte[]> producer = connection.producer(Map.of())) {
      byte[] key = Topics.clearedAnswers(model).getBytes(StandardCharsets.UTF_8);
      producer.send(new ProducerRecord<>(Topics.ANSWERS, 0, key, new byte[0])).get();
    } catch (KafkaException | ExecutionException e) {
      throw refused(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused(e);
    }
  }

  private static OperationFailedException refused(Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new OperationFailedException(
        "no answers were cleared: Kafka did not take the record: " + cause.getMessage(),
        "Check the connection and whether this user may write to " + Topics.ANSWERS + ".",
        e);
  }
}
