package dev.abacus.deploy.cluster;

import static dev.abacus.schemas.kafka.KafkaFutures.get;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;

/**
 * Writing that may take long: Kafka's producer tries again for two minutes without a word while too
 * few brokers of a topic are up.
 *
 * @param topics that are written
 */
public record PatientWriting(KafkaConnection connection, Collection<String> topics) {

  private static final Duration SILENCE = Duration.ofSeconds(10);

  /** What writes. */
  @FunctionalInterface
  public interface Writing<T, E extends Exception> {
    T write() throws E;
  }

  /** Writes; if that takes longer than 10 s, standard error says what lacks. */
  public <T, E extends Exception> T run(Writing<T, E> writing) throws E {
    Thread telling =
        Thread.ofVirtual()
            .name("abacus-patience")
            .start(() -> {
              try {
                Thread.sleep(SILENCE);
                String lacks = lacks();
                if (!Thread.currentThread().isInterrupted()) {
                  System.err.printf(
                      "Kafka has not confirmed for %d s what is written to %s. The command waits.%s%n",
                      SILENCE.toSeconds(), String.join(", ", topics), lacks);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt(); // written
              }
            });
    try {
      return writing.write();
    } finally {
      telling.interrupt();
    }
  }

  /** A sentence of what keeps Kafka from taking a record; empty if it does not tell. */
  String lacks() {
    try (Admin admin = connection.admin()) {
      Map<String, TopicDescription> described = get(admin.describeTopics(topics).allTopicNames());
      List<String> lacking = lacking(described.values(), leastInSync(admin));
      return lacking.isEmpty() ? "" : " Now " + String.join("; ", lacking) + ".";
    } catch (KafkaException e) {
      return "";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "";
    }
  }

  private Map<String, Integer> leastInSync(Admin admin) throws InterruptedException {
    try {
      return get(
              admin
                  .describeConfigs(
                      topics.stream()
                          .map(topic -> new ConfigResource(ConfigResource.Type.TOPIC, topic))
                          .toList())
                  .all())
          .entrySet()
          .stream()
          .collect(
              Collectors.toMap(
                  topic -> topic.getKey().name(),
                  topic ->
                      Integer.valueOf(
                          topic.getValue().get(TopicConfig.MIN_IN_SYNC_REPLICAS_CONFIG).value())));
    } catch (KafkaException e) {
      return Map.of(); // the right to see the configuration lacks
    }
  }

  /** Partitions without a leader, or with fewer replicas in sync than a record needs. */
  static List<String> lacking(
      Collection<TopicDescription> topics, Map<String, Integer> leastInSync) {
    List<String> lacks = new ArrayList<>();
    for (TopicDescription topic : topics) {
      Integer least = leastInSync.get(topic.name());
      for (TopicPartitionInfo partition : topic.partitions()) {
        int all = partition.replicas().size();
        int inSync = partition.isr().size();
        String name = topic.name() + "-" + partition.partition();
        if (partition.leader() == null || partition.leader().isEmpty()) {
          lacks.add(name + " has no leader");
        } else if (inSync < Math.min(all, least == null ? all : least)) {
          lacks.add(
              "%s has %d of %d replicas in sync%s"
                  .formatted(
                      name, inSync, all, least == null ? "" : ", min.insync.replicas is " + least));
        }
      }
    }
    return lacks;
  }
}
