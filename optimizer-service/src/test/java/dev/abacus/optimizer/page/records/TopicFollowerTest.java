package dev.abacus.optimizer.page.records;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadHealth;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.MockConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TopicFollowerTest {

  /** What the broker has, by topic; every topic has one partition. */
  private final Map<String, List<String>> topics = new HashMap<>();

  private final Set<String> wanted = new HashSet<>();
  private final List<String> read = new ArrayList<>();
  private final List<MockConsumer<byte[], byte[]>> opened = new ArrayList<>();
  private final ThreadHealth health =
      new Supervisor(RestartPolicy.standard(_ -> true), () -> Instant.EPOCH).watch("test");
  private Instant now = Instant.EPOCH.plusSeconds(100);
  private @Nullable KafkaException failure;

  private TopicFollower follower(long tail) {
    return new TopicFollower(
        this::open,
        () -> wanted,
        tail,
        record -> {
          if (failure != null) {
            KafkaException thrown = failure;
            failure = null;
            throw thrown;
          }
          read.add(new String(record.value(), UTF_8));
        },
        () -> now);
  }

  private MockConsumer<byte[], byte[]> open() {
    MockConsumer<byte[], byte[]> consumer = new MockConsumer<>("earliest");
    opened.add(consumer);
    refresh(consumer);
    return consumer;
  }

  private void refresh(MockConsumer<byte[], byte[]> consumer) {
    topics.forEach((topic, values) -> {
      TopicPartition partition = new TopicPartition(topic, 0);
      consumer.updatePartitions(topic, List.of(new PartitionInfo(topic, 0, null, null, null)));
      consumer.updateBeginningOffsets(Map.of(partition, 0L));
      consumer.updateEndOffsets(Map.of(partition, (long) values.size()));
    });
  }

  /** One look for topics, then what a broker would deliver. */
  private void step(TopicFollower follower) {
    follower.run(health);
    MockConsumer<byte[], byte[]> consumer = opened.getLast();
    for (TopicPartition partition : consumer.assignment()) {
      List<String> values = topics.getOrDefault(partition.topic(), List.of());
      for (int offset = (int) consumer.position(partition); offset < values.size(); offset++) {
        consumer.addRecord(
            new ConsumerRecord<>(
                partition.topic(), 0, offset, null, values.get(offset).getBytes(UTF_8)));
      }
    }
    follower.run(health);
  }

  @Test
  void readsTheTailOfATopicThatExistedBefore() {
    topics.put("a", List.of("1", "2", "3", "4"));
    wanted.add("a");

    step(follower(2));

    assertThat(read).containsExactly("3", "4");
  }

  @Test
  void findsATopicThatIsCreatedLater() {
    wanted.add("a");
    TopicFollower follower = follower(10);
    step(follower);
    assertThat(read).isEmpty();

    topics.put("a", List.of("1"));
    refresh(opened.getLast());
    step(follower);
    assertThat(read).as("it looks every two seconds").isEmpty();
    now = now.plusSeconds(2);
    step(follower);

    assertThat(read).containsExactly("1");
  }

  @Test
  void continuesAfterAFailureWhereItWas() {
    topics.put("a", List.of("1", "2"));
    wanted.add("a");
    TopicFollower follower = follower(10);
    step(follower);
    topics.put("a", List.of("1", "2", "3"));
    failure = new KafkaException("not authorized");
    assertThatThrownBy(() -> step(follower)).hasMessage("not authorized");
    assertThat(opened.getLast().closed()).isTrue();

    step(follower);

    assertThat(opened).hasSize(2);
    assertThat(read).containsExactly("1", "2", "3");
  }
}
