package dev.abacus.topology.stateful;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.program.Limit;
import dev.abacus.topology.codec.Provenance;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LimitTest {

  private static final Duration WINDOW = Duration.ofSeconds(10);

  @TempDir Path directory;
  private @Nullable OperatorDriver driver;

  @AfterEach
  void close() {
    if (driver != null) {
      driver.close();
    }
  }

  private OperatorDriver open(long count, @Nullable Duration window, int... channels) {
    OperatorDriver opened =
        new OperatorDriver(
            directory, new Limit("first", "docs", count, window, List.of(), null, null), channels);
    driver = opened;
    return opened;
  }

  @Test
  void forwardsTheFirstDocumentsAndDropsTheOthers() {
    OperatorDriver limit = open(2, null, 1);
    limit.send("a", "{\"n\":1}", 5);
    limit.send("b", "{\"n\":2}", 1);
    limit.send("c", "{\"n\":3}", 1);

    assertThat(limit.documents()).containsExactly("a {\"n\":1}", "b {\"n\":2}");
    assertThat(limit.dropped()).isEqualTo(1);
  }

  @Test
  void reportsHowManyDocumentsPass() {
    OperatorDriver limit = open(2, null, 1);
    for (int i = 0; i < 5; i++) {
      limit.send("k" + i, "{}", i);
    }

    assertThat(limit.flows()).containsExactly(new OperatorFlow("first", 5, 2));
  }

  @Test
  void countsAcrossARestart() {
    OperatorDriver limit = open(2, null, 1);
    limit.send("a", "{}", 1);
    limit.documents();
    limit.restart();
    limit.send("b", "{}", 2);
    limit.send("c", "{}", 3);

    assertThat(limit.documents()).containsExactly("b {}");
  }

  @Test
  void countsEachWindowByTheTimestampOfTheDocument() {
    OperatorDriver limit = open(1, WINDOW, 1);
    limit.send("a", "{}", 0);
    limit.send("b", "{}", 9_999);
    limit.send("c", "{}", 10_000);
    limit.send("d", "{}", 5);
    limit.restart();
    limit.send("e", "{}", 19_999);
    limit.send("f", "{}", 20_000);

    assertThat(limit.documents()).containsExactly("f {}");
    assertThat(limit.dropped()).isEqualTo(3);
  }

  @Test
  void forgetsAWindowWhenAThousandNewerOnesHaveBegun() {
    OperatorDriver limit = open(1, WINDOW, 1);
    limit.send("a", "{}", 0);
    limit.watermark(10_000 * 1000L);
    assertThat(limit.size("counts", "local-counts")).isEqualTo(2);
    limit.watermark(10_000 * 1001L);
    assertThat(limit.size("counts", "local-counts")).isZero();

    limit.documents();
    limit.send("b", "{}", 9_999);
    limit.send("c", "{}", 10_000);
    assertThat(limit.documents()).containsExactly("c {}");
  }

  @Test
  void doesNotRepartitionMoreDocumentsThanItCanForward() {
    OperatorDriver limit = open(2, null, 1);
    for (int i = 0; i < 5; i++) {
      limit.send("k" + i, "{}", i);
    }

    assertThat(limit.repartitioned()).isEqualTo(2);
    assertThat(limit.dropped()).isEqualTo(3);
  }

  @Test
  void countsAGroupThatItDropsAsAGroup() {
    OperatorDriver limit = open(1, null, 1);
    Provenance group = Provenance.ofGroup(Usage.NONE, OperatorDriver.NOW);
    limit.send(0, "a", "{}", 1, group);
    limit.send(0, "b", "{}", 1, group);

    assertThat(limit.droppedGroups()).isEqualTo(1);
    assertThat(limit.dropped()).isZero();
  }

  @Test
  void dropsATombstone() {
    OperatorDriver limit = open(1, null, 1);
    limit.tombstone("a");
    limit.send("b", "{}", 1);

    assertThat(limit.documents()).containsExactly("b {}");
    assertThat(limit.dropped()).isEqualTo(1);
  }

  @Test
  void forwardsTheMinimumOfTheWatermarksOfItsChannels() {
    OperatorDriver limit = open(1, null, 3);
    limit.watermark(0, 0, 30);
    limit.watermark(0, 1, 20);
    assertThat(limit.watermarks()).isEmpty();
    limit.watermark(0, 2, 10);
    limit.watermark(0, 2, 25);
    limit.watermark(0, 1, 40);

    assertThat(limit.watermarks()).containsExactly(10L, 20L, 25L);
  }

  @Test
  void doesNotForwardADecreasingWatermark() {
    OperatorDriver limit = open(1, null, 1);
    limit.watermark(30);
    limit.watermark(20);
    limit.watermark(30);
    limit.watermark(31);

    assertThat(limit.watermarks()).containsExactly(30L, 31L);
  }

  @Test
  void doesNotWaitForAnIdleChannel() {
    OperatorDriver limit = open(1, null, 2);
    limit.watermark(0, 0, 30);
    assertThat(limit.watermarks()).isEmpty();
    limit.idle(0, 1, 5);
    assertThat(limit.watermarks()).containsExactly(30L);
  }

  @Test
  void eventTimeDoesNotDecreaseWhenAnIdleChannelResumes() {
    OperatorDriver limit = open(1, null, 2);
    limit.idle(0, 1, 5);
    limit.watermark(0, 0, 30);
    limit.watermark(0, 1, 10);
    limit.watermark(0, 0, 40);
    assertThat(limit.watermarks()).containsExactly(30L);
    limit.watermark(0, 1, 35);
    assertThat(limit.watermarks()).containsExactly(35L);
  }

  @Test
  void takesTheLatestWatermarkWhenAllChannelsAreIdle() {
    OperatorDriver limit = open(1, null, 2);
    limit.idle(0, 0, 30);
    limit.watermarks();
    limit.idle(0, 1, 50);
    assertThat(limit.watermarks()).containsExactly(50L);
  }

  @Test
  void remembersTheWatermarksOfItsChannelsAcrossARestart() {
    OperatorDriver limit = open(1, null, 3);
    limit.watermark(0, 0, 30);
    limit.idle(0, 1, 5);
    limit.restart();
    limit.watermark(0, 2, 20);
    assertThat(limit.watermarks()).containsExactly(20L);
    limit.restart();
    limit.watermark(0, 1, 10); // not idle any more, and behind
    limit.watermark(0, 2, 25);
    assertThat(limit.watermarks()).isEmpty();
  }
}
