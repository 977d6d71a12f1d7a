package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.MalformedRecordException;
import dev.abacus.schemas.kafka.Topics;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.MemberDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Observes which optimizer leads and whether it is active. An active leader refuses a bad control
 * record on the rejections topic.
 */
final class LeaderMonitor implements AutoCloseable {

  /** The consumer group of the optimizers. */
  private static final String GROUP = "abacus-optimizer";

  private static final TopicPartition REJECTIONS = new TopicPartition(Topics.REJECTIONS, 0);
  private static final Duration LOOK = Duration.ofMillis(20);

  private final Admin admin;
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Set<String> refused = new HashSet<>();
  private int sent;

  LeaderMonitor(KafkaConnection connection) {
    admin = connection.admin();
    producer = connection.producer(Map.of("linger.ms", 0));
    consumer = connection.consumer(Map.of());
    consumer.assign(List.of(REJECTIONS));
    consumer.seekToBeginning(List.of(REJECTIONS));
  }

  /** Returns whether the group has {@code count} members and one of them leads. */
  boolean hasMembers(int count) {
    List<MemberDescription> members = members();
    return members.size() == count && members.stream().anyMatch(LeaderMonitor::leads);
  }

  /**
   * Returns the client id of the leader.
   *
   * @throws IllegalStateException if no optimizer leads
   */
  String leader() {
    return members().stream()
        .filter(LeaderMonitor::leads)
        .map(MemberDescription::clientId)
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("no optimizer leads"));
  }

  private static boolean leads(MemberDescription member) {
    return !member.assignment().topicPartitions().isEmpty();
  }

  private List<MemberDescription> members() {
    try {
      return admin.describeConsumerGroups(List.of(GROUP)).all().get().values().stream()
          .flatMap(group -> group.members().stream())
          .toList();
    } catch (ExecutionException e) {
      // The group does not exist yet.
      return List.of();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return List.of();
    }
  }

  /** Sends a record that the leader must refuse; returns its key. */
  String sendBadRecord() {
    String key = "objective/bench-" + sent++;
    byte[] value = "\"no objective\"".getBytes(StandardCharsets.UTF_8);
    var _ =
        producer.send(
            new ProducerRecord<>(Topics.CONTROL, key.getBytes(StandardCharsets.UTF_8), value));
    producer.flush();
    return key;
  }

  /**
   * Waits until a record is refused.
   *
   * @throws IllegalStateException if that takes longer than {@code patience}
   */
  void awaitRefusal(String key, Duration patience) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!refused.contains(key)) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "no optimizer refused %s within %d s".formatted(key, patience.toSeconds()));
      }
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(LOOK)) {
        refused.add(key(record));
      }
    }
  }

  private static String key(ConsumerRecord<byte[], byte[]> record) {
    try {
      return Json.read(record.value(), JsonNode.class).path("key").asText();
    } catch (MalformedRecordException e) {
      throw new IllegalStateException("a rejection is not valid JSON", e);
    }
  }

  @Override
  public void close() {
    consumer.close();
    producer.close();
    admin.close();
  }
}
