package dev.abacus.optimizer.exchange;

import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.topic.Topics;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TopicExistsException;

/**
 * Creates the topics that the control plane reads and writes, where they are missing. What it
 * remembers by is kept for ever: without its samples and observations it would pay again.
 */
final class TopicSetup {

  private static final Map<String, String> KEEP = Map.of("retention.ms", "-1");
  private static final Map<String, String> KEEP_LARGE =
      Map.of("retention.ms", "-1", "max.message.bytes", Integer.toString(16 << 20));
  private static final Map<String, String> COMPACT = Map.of("cleanup.policy", "compact");

  private final Admin admin;
  private final ExchangeSettings settings;

  TopicSetup(Admin admin, ExchangeSettings settings) {
    this.admin = admin;
    this.settings = settings;
  }

  /** Those that all programs share. */
  void createShared() {
    create(
        List.of(
            topic(Topics.CONTROL, 1, COMPACT),
            topic(Topics.REJECTIONS, 1, KEEP),
            topic(Topics.STATUS, 1, COMPACT)));
  }

  /** Those that the search for a program's plan needs. */
  void createFor(Program program) {
    int partitions = settings.samplePartitions();
    create(
        List.of(
            topic(program.validation().topic(), partitions, KEEP),
            topic(Topics.samples(program.name()), partitions, KEEP_LARGE),
            topic(Topics.observations(program.name()), partitions, KEEP_LARGE)));
  }

  private NewTopic topic(String name, int partitions, Map<String, String> configs) {
    Optional<Integer> count = partitions < 1 ? Optional.empty() : Optional.of(partitions);
    Optional<Short> factor =
        settings.replicationFactor() < 1
            ? Optional.empty()
            : Optional.of(settings.replicationFactor());
    return new NewTopic(name, count, factor).configs(configs);
  }

  private void create(List<NewTopic> topics) {
    Set<String> existing = await(admin.listTopics().names());
    Set<String> missing = new HashSet<>();
    topics.forEach(topic -> missing.add(topic.name()));
    missing.removeAll(existing);
    List<NewTopic> absent =
        topics.stream().filter(topic -> missing.contains(topic.name())).toList();
    admin
        .createTopics(absent)
        .values()
        .values()
        .forEach(created -> {
          try {
            await(created);
          } catch (TopicExistsException e) {
            // Another process was faster; that serves as well.
          }
        });
  }

  private static <T> T await(KafkaFuture<T> future) {
    try {
      return future.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof KafkaException cause ? cause : new KafkaException(e.getCause());
    } catch (InterruptedException e) {
      throw new InterruptException(e);
    }
  }
}
