package dev.abacus.optimizer.kafka;

import dev.abacus.schemas.kafka.ByteClients;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Elects the leader of several control planes: the member of a consumer group that owns the one
 * partition of the control topic. A member that leaves gives the partition up at once; the
 * partition of a member that died moves when its session times out. The consumer reads no records.
 *
 * <p>An isolated leader that still believes it leads can do no harm: the next leader fences its
 * producer through the transactional id that they share.
 */
final class Leadership implements AutoCloseable {

  private static final Duration CLOSE_TIMEOUT = Duration.ofSeconds(3);

  private final KafkaConsumer<byte[], byte[]> consumer;
  private boolean leads;

  Leadership(KafkaSettings settings) {
    this.consumer = ByteClients.consumer(settings.leadershipProperties());
    consumer.subscribe(
        List.of(settings.names().control()),
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

  /** Polls the group for at most {@code wait}; returns whether this control plane leads. */
  boolean leads(Duration wait) {
    var _ = consumer.poll(wait);
    return leads;
  }

  /** Whether this control plane is a member of the group and another one leads. */
  boolean standsBy() {
    return !leads
        && consumer.groupMetadata().generationId() >= 0
        && consumer.assignment().isEmpty();
  }

  /** Interrupts a poll; may be called from any thread. */
  void wakeUp() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    consumer.close(CloseOptions.timeout(CLOSE_TIMEOUT));
  }
}
