package dev.abacus.topology.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.kafka.Json;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class ProgramCountersTest {

  private final ProgramCounters counters = new ProgramCounters();

  /** A process that sees a plan an hour for a year. */
  @Test
  void aReportStaysSmallHoweverManyPlansAProcessHasSeen() {
    long plans = 24 * 365;
    for (long epoch = 2; epoch <= plans; epoch++) {
      counters.document(epoch, 0.01, 1, false);
      counters.judged(epoch, "keep", 0.5, null);
      counters.document(1, 0.01, 1, false); // An old plan that is in force again.
    }
    InstanceStatus status = counters.status("p", "i", Instant.EPOCH, "", plans);
    assertThat(Json.write(status)).hasSizeLessThan(20_000);
    assertThat(status.epochs().stream().map(EpochCounts::epoch)).contains(1L, plans, plans - 10);
    assertThat(status.quality().stream().map(QualityCounts::epoch)).contains(plans, plans - 10);
    assertThat(counters.finished()).isEqualTo(2 * (plans - 1));
  }
}
