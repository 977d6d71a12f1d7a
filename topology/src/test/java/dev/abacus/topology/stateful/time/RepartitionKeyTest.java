package dev.abacus.topology.stateful.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.document.Document;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.codec.Provenance;
import dev.abacus.topology.stateful.time.RepartitionKey.DocumentKey;
import dev.abacus.topology.stateful.time.RepartitionKey.WatermarkKey;
import java.time.Instant;
import java.util.Set;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.apache.kafka.common.errors.SerializationException;
import org.apache.kafka.common.utils.Bytes;
import org.junit.jupiter.api.Test;

class RepartitionKeyTest {

  private static final Envelope ENVELOPE =
      Envelope.ofGroup(
          new byte[0], Document.empty(), Provenance.ofGroup(Usage.NONE, Instant.EPOCH));

  private static RepartitionKey readBack(RepartitionKey key) {
    byte[] bytes = RepartitionKey.SERDE.serializer().serialize("topic", key);
    return RepartitionKey.SERDE.deserializer().deserialize("topic", bytes);
  }

  private static Set<Integer> partitions(RepartitionKey key, int count) {
    return new RepartitionKey.Partitioner().partitions("topic", key, ENVELOPE, count).orElseThrow();
  }

  @Property(seed = "42")
  void aKeyIsReadBackFromItsBytes(
      @ForAll @IntRange(min = 0, max = 1) int side, @ForAll byte[] group) {
    DocumentKey document = new DocumentKey(side, Bytes.wrap(group));

    assertThat(readBack(document)).isEqualTo(document);
    assertThat(readBack(new WatermarkKey(side))).isEqualTo(new WatermarkKey(side));
  }

  @Property(seed = "42")
  void documentsOfOneGroupGoToOnePartitionFromBothSides(
      @ForAll byte[] group, @ForAll @IntRange(min = 1, max = 50) int count) {
    Set<Integer> left = partitions(new DocumentKey(0, Bytes.wrap(group)), count);

    assertThat(left).hasSize(1).allMatch(partition -> partition >= 0 && partition < count);
    assertThat(partitions(new DocumentKey(1, Bytes.wrap(group)), count)).isEqualTo(left);
  }

  @Test
  void aWatermarkGoesToAllPartitions() {
    assertThat(partitions(new WatermarkKey(0), 4)).containsExactlyInAnyOrder(0, 1, 2, 3);
  }

  @Test
  void damagedBytesAreRefused() {
    assertThatThrownBy(
            () -> RepartitionKey.SERDE.deserializer().deserialize("topic", new byte[] {1}))
        .isInstanceOf(SerializationException.class);
    assertThatThrownBy(
            () -> RepartitionKey.SERDE.deserializer().deserialize("topic", new byte[] {9, 0}))
        .isInstanceOf(SerializationException.class);
  }
}
