package dev.abacus.deploy.cli.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.schemas.control.ModelWait.Cause;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class WaitLinesTest {

  private static final Instant AT = Instant.parse("2026-01-01T10:05:00Z");

  private static List<String> lines(ModelWait... waits) {
    return WaitLines.of(
        InstanceStatus.builder("p", "worker-1", AT, "RUNNING").waits(List.of(waits)).build(), AT);
  }

  @Test
  void aLineSaysWhatWaitsForWhatSinceAndUntilWhenAndWhatToDo() {
    ModelWait credit =
        new ModelWait(
            "gpt-4o", Cause.QUOTA, "no credit", 12, AT.plusSeconds(151), AT.minusSeconds(169));
    ModelWait refused = new ModelWait("llama", Cause.CONNECTION, "refused", 1, null, AT);
    assertThat(lines(credit, refused))
        .containsExactly(
            "worker-1: 12 calls wait for gpt-4o since 10:02:11, next attempt at 10:07:31 UTC"
                + " (in 151 s): no credit; add credit to the account, then run `abacus resume`",
            "worker-1: 1 call waits for llama since 10:05:00, a probe is in progress: refused");
  }

  @Test
  void aTimeInThePastIsNoNextAttempt() {
    assertThat(
            lines(
                new ModelWait("m", Cause.RATE_LIMIT, "limit of 5", 2, AT.minusSeconds(1), AT),
                new ModelWait("n", Cause.SERVER_ERROR, "down", 1, AT, AT)))
        .allSatisfy(line -> assertThat(line).contains(", next attempt is due: "));
  }

  @Test
  void aStatusWithoutWaitsHasNoLines() {
    assertThat(lines()).isEmpty();
  }
}
