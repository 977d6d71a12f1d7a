package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.Topics;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/**
 * Which of several control planes acts: the member of a consumer group that is given the one
 * partition of the control topic. One that leaves gives it up at once; of one that died it is taken
 * when its session times out. Nothing is read through this consumer.
 *
 * <p>A leader that was cut off and does not know it yet can do no harm: its successor fences its
 * producer, by the transactional id that they share.
 */
final class Leadership implements AutoCloseable {

  private static final Duration CLOSE = Duration.ofSeconds(3);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private boolean leads;

  Leadership(ExchangeSettings settings) {
    this.consumer =
        new KafkaConsumer<>(
            settings.leadershipProperties(),
            new ByteArrayDeserializer(),
            new ByteArrayDeserializer());
    consumer.subscribe(
        List.of(Topics.CONTROL),
        new ConsumerRebalanceListener() {
          @Override
          public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
            if (!partitions.isEmpty()) {
              leads = true;
              consumer.pause(partitions);
            }
          }

          @Override
          public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
            leads &= partitions.isEmpty();
          }
        });
  }

  /** Takes part in the group, waiting that long at most; returns whether this one leads. */
  boolean leads(Duration wait) {
    var _ = consumer.poll(wait);
    return leads;
  }

  /** Whether another one is known to lead. */
  boolean standsBy() {
    return !leads && consumer.groupMetadata().generationId() >= 0 && Set.of().equals(assigned());
  }

  private Set<TopicPartition> assigned() {
    return consumer.assignment();
  }

  /** Interrupts a wait, from any thread. */
  void wakeUp() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(CLOSE));
  }
}
