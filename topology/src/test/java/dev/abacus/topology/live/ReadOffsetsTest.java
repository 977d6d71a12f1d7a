package dev.abacus.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.monitor.SourceOffsets;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ReadOffsetsTest {

  private static final TopicPartition PARTITION = new TopicPartition("documents", 0);

  private @Nullable SourceOffsets seen;

  private void look(@Nullable Long committed, long first) {
    seen =
        new SourceOffsets(
            committed == null ? Map.of() : Map.of(PARTITION, committed),
            Map.of(PARTITION, first),
            Map.of(PARTITION, 1_000L));
  }

  private ReadOffsets open() {
    return new ReadOffsets(PARTITION, () -> seen);
  }

  private static ReadOffsets.Gap gap(long from, long to) {
    return new ReadOffsets.Gap(PARTITION, from, to);
  }

  @Test
  void whatWasDeletedWhileNobodyReadIsFoundAtTheFirstRecord() {
    look(20L, 50);
    ReadOffsets offsets = open();
    offsets.read(50);

    assertThat(offsets.deleted()).isEqualTo(gap(20, 50));
    assertThat(offsets.deleted()).isNull();
    assertThat(offsets.isOpen()).isFalse();
  }

  @Test
  void onlyWhatIsInFrontOfTheLogWasDeleted() {
    look(20L, 50);
    ReadOffsets offsets = open();
    offsets.read(60); // 50 to 59 are markers or aborted.

    assertThat(offsets.deleted()).isEqualTo(gap(20, 50));
  }

  @Test
  void whatIsDeletedWhileRecordsAreReadIsFoundByALaterLook() {
    look(0L, 0);
    ReadOffsets offsets = open();
    offsets.read(0);
    offsets.read(2); // a marker
    offsets.read(100);
    offsets.read(102);
    assertThat(offsets.deleted()).isNull();

    look(0L, 100);
    assertThat(offsets.deleted()).isEqualTo(gap(3, 100));
  }

  @Test
  void gapsThatStayInTheLogAreNoLossHoweverLateTheLogEnds() {
    look(0L, 0);
    ReadOffsets offsets = open();
    offsets.read(0);
    offsets.read(2);
    for (int i = 0; i < 3; i++) {
      assertThat(offsets.isOpen()).isTrue();
      look(3L, 0);
      assertThat(offsets.deleted()).isNull();
    }
    assertThat(offsets.isOpen()).isFalse();
    look(3L, 3);
    assertThat(offsets.deleted()).isNull();
  }

  @Test
  void thereIsNoGapBeforeTheFirstCommitAndWithoutAnyLook() {
    look(null, 50);
    ReadOffsets first = open();
    first.read(50);
    assertThat(first.isOpen()).isFalse();

    seen = null;
    ReadOffsets unknown = open();
    unknown.read(7);
    unknown.read(9);
    assertThat(unknown.deleted()).isNull();
  }
}
