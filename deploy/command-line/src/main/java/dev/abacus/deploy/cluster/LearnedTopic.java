package dev.abacus.deploy.cluster;

import dev.abacus.optimizer.sampling.prior.LearntKey;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import dev.abacus.schemas.observation.Observation;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
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
   * @param json what {@link dev.abacus.optimizer.search.cost.PriorsReader} reads; null to remove
   *     them
   * @throws OperationFailedException if the topic is missing or the cluster does not answer
   */
  public void give(String program, @Nullable String json) {
    connection.requireTopics(List.of(Topics.LEARNT));
    byte[] key = new LearntKey.Given(program).path().getBytes(StandardCharsets.UTF_8);
    byte @Nullable [] value = json == null ? null : json.getBytes(StandardCharsets.UTF_8);
    // Priors of all implementations of many operators make a large record.
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

  /** Measurements of all operators of all other programs. */
  public List<LearntOperator> learntBeside(String program) {
    connection.requireTopics(List.of(Topics.LEARNT));
    Map<String, LearntOperator> learnt = new TreeMap<>();
    TopicReader.read(connection, Topics.LEARNT, record -> learn(record, program, learnt));
    return List.copyOf(learnt.values());
  }

  private static void learn(
      ConsumerRecord<byte[], byte[]> record, String program, Map<String, LearntOperator> learnt) {
    try {
      LearntKey key = LearntKey.parse(new String(record.key(), StandardCharsets.UTF_8));
      if (key instanceof LearntKey.Learnt && !key.program().equals(program)) {
        if (record.value() == null) {
          learnt.remove(key.path());
        } else {
          learnt.put(key.path(), Json.read(record.value(), LearntOperator.class));
        }
      }
    } catch (IllegalArgumentException | MalformedRecordException e) {
      // The optimizer rejects it with a reason on the rejections topic.
    }
  }

  /** All observations of a program. */
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
            // The optimizer ignores it too.
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
