package dev.abacus.deploy.evaluation.flow;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cluster.KafkaConnection;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.kafka.KafkaNames;
import dev.abacus.schemas.kafka.MalformedRecordException;
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

  private static final Duration LOOK = Duration.ofMillis(20);

  private final KafkaNames names;
  private final Admin admin;
  private final Producer<byte[], byte[]> producer;
  private final Consumer<byte[], byte[]> consumer;
  private final Set<String> refused = new HashSet<>();
  private int sent;

  LeaderMonitor(KafkaConnection connection) {
    names = connection.names();
    admin = connection.admin();
    producer = connection.producer(Map.of("linger.ms", 0));
    consumer = connection.consumer(Map.of());
    List<TopicPartition> rejections = List.of(new TopicPartition(names.rejections(), 0));
    consumer.assign(rejections);
    consumer.seekToBeginning(rejections);
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
      return admin.describeConsumerGroups(List.of(names.optimizer())).all().get().values().stream()
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
            new ProducerRecord<>(names.control(), key.getBytes(StandardCharsets.UTF_8), value));
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
