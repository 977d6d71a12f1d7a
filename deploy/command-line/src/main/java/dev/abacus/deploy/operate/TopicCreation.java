package dev.abacus.deploy.operate;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.topic.Topics;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the topics that the product and its programs need. What is already there is left as it
 * is.
 *
 * @param partitions of topics that carry documents or samples
 * @param replication copies of every partition; 0 for the cluster's default
 */
public record TopicCreation(int partitions, int replication) {

  private static final Map<String, String> COMPACTED = Map.of("cleanup.policy", "compact");
  private static final Map<String, String> KEPT = Map.of("retention.ms", "-1");

  /** Long enough for a restart after a crash, which is all that receipts are for. */
  private static final Map<String, String> RECEIPTS =
      Map.of("cleanup.policy", "compact,delete", "retention.ms", "86400000");

  public TopicCreation {
    if (partitions < 1 || replication < 0) {
      throw new IllegalArgumentException("partitions must be at least 1 and replication at least 0");
    }
  }

  /** The topics that the two planes meet in. */
  public List<NewTopic> shared() {
    return List.of(
        topic(Topics.CONTROL, 1, COMPACTED),
        topic(Topics.REJECTIONS, 1, Map.of()),
        topic(Topics.STATUS, 1, COMPACTED));
  }

  /** The topics of one program: those that it names, and those that go with it. */
  public List<NewTopic> of(Program program) {
    Map<String, NewTopic> topics = new LinkedHashMap<>();
    program
        .sources()
        .forEach(source -> topics.put(source.topic(), topic(source.topic(), partitions, Map.of())));
    String results = program.results().topic();
    topics.put(results, topic(results, partitions, Map.of()));
    String validation = program.validation().topic();
    topics.put(validation, topic(validation, 1, COMPACTED));
    String name = program.name();
    topics.put(Topics.samples(name), topic(Topics.samples(name), partitions, Map.of()));
    // The optimizer's memory: it must never expire.
    topics.put(Topics.observations(name), topic(Topics.observations(name), partitions, KEPT));
    topics.put(Topics.deadLetters(name), topic(Topics.deadLetters(name), partitions, KEPT));
    topics.put(Topics.receipts(name), topic(Topics.receipts(name), partitions, RECEIPTS));
    return List.copyOf(topics.values());
  }

  private NewTopic topic(String name, int count, Map<String, String> configuration) {
    return new NewTopic(
            name,
            Optional.of(count),
            replication == 0 ? Optional.empty() : Optional.of((short) replication))
        .configs(configuration);
  }

  /**
   * Creates those that are missing.
   *
   * @return names of the topics that were created
   * @throws OperationFailedException if the cluster refuses or does not answer
   */
  public static List<String> create(KafkaConnection connection, Collection<NewTopic> topics) {
    List<String> created = new ArrayList<>();
    try (Admin admin = connection.admin()) {
      for (var result : admin.createTopics(topics).values().entrySet()) {
        try {
          result.getValue().get();
          created.add(result.getKey());
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof TopicExistsException)) {
            throw refused(result.getKey(), e);
          }
        }
      }
      return created;
    } catch (KafkaException e) {
      throw refused("anything", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw refused("anything", e);
    }
  }

  private static OperationFailedException refused(String topic, Exception e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return new OperationFailedException(
        "Kafka did not create %s: %s".formatted(topic, cause.getMessage()),
        "Check that it runs, that this user may create topics, and --replication.",
        e);
  }
}
