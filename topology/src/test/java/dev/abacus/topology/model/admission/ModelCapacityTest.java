package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.InstanceStatus.ModelHealth;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ModelCapacityTest {

  private static final ModelFailure FAULT = new ModelFailure.ServerError(503, "busy", null);

  private Instant now = Instant.EPOCH;
  private final ModelCapacity capacity = new ModelCapacity("m", false, CallLimits.NONE, null);

  private void answer(int times) {
    end(null, false, times);
  }

  private void fail(ModelFailure fault, int times) {
    end(fault, false, times);
  }

  private void end(@Nullable ModelFailure fault, boolean probe, int times) {
    for (int i = 0; i < times; i++) {
      capacity.finished(new Decision.Admitted(probe, now, 0), 0, fault, TokenCounts.NONE, now);
    }
  }

  private static ModelHealth health(long calls, long failures, boolean open) {
    return new ModelHealth("m", calls, failures, open);
  }

  private ModelHealth health() {
    return capacity.health(now);
  }

  @Test
  void aModelIsOpenWhenHalfOfItsAttemptsAreProviderFaults() {
    answer(3);
    fail(FAULT, 2);
    assertThat(health()).isEqualTo(health(5, 2, false));
    fail(FAULT, 1);
    assertThat(health()).isEqualTo(health(6, 3, true));
  }

  @Test
  void fewerThanFiveAttemptsDoNotOpenAModel() {
    fail(FAULT, 4);
    assertThat(health().open()).isFalse();
    fail(FAULT, 1);
    assertThat(health().open()).isTrue();
  }

  @Test
  void rateLimitsCountAndDoNotOpenAModel() {
    fail(new ModelFailure.RateLimited("slower", null), 5);
    assertThat(health()).isEqualTo(health(5, 5, false));
  }

  @Test
  void aModelStaysOpenAfterAProbeUntilMostCallsAreAnswered() {
    fail(FAULT, 5);
    now = now.plusSeconds(2);
    assertThat(health()).isEqualTo(health(5, 5, true));
    capacity.admit(new WaitQueue.Waiter(Caller.live("p"), 0, now, now, null), now);
    end(null, true, 1);
    assertThat(capacity.circuitAdmits(now)).isTrue();
    answer(3);
    assertThat(health()).isEqualTo(health(9, 5, true));
    answer(2);
    assertThat(health()).isEqualTo(health(11, 5, false));
  }

  @Test
  void aModelWithoutAttemptsForAMinuteIsClosed() {
    fail(FAULT, 10);
    now = now.plus(Duration.ofSeconds(60));
    assertThat(health().open()).isTrue();
    now = now.plusMillis(1);
    assertThat(health()).isEqualTo(health(10, 10, false));
  }
}
