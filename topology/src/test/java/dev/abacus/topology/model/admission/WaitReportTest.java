package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.control.ModelWait;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.admission.ModelGate.Decision;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What calls are said to wait for is what they wait for now. */
class WaitReportTest {

  private static final ModelFailure DOWN = new ModelFailure.ServerError(500, "status 500", null);

  private final VirtualTime time = new VirtualTime();

  private CompletableFuture<Decision> enter(
      ModelGate gate, int pauseSeconds, @Nullable ModelFailure last) {
    Instant now = time.instant();
    WaitQueue.Waiter waiter =
        new WaitQueue.Waiter(Caller.live("p"), 100, now, now.plusSeconds(pauseSeconds), last);
    gate.enter(waiter);
    return waiter.decision();
  }

  @Test
  void aCallWhosePauseIsOverWaitsForTheLimitAndNotForItsLastFailure() {
    ModelGate gate = new ModelGate("m", false, new CallLimits(1L, null), null, time);
    assertThat(enter(gate, 0, null)).isDone();
    var _ = enter(gate, 2, DOWN);
    assertThat(gate.wait("p"))
        .returns(ModelWait.Cause.SERVER_ERROR, ModelWait::cause)
        .returns(time.instant().plusSeconds(2), ModelWait::until);

    time.advance(Duration.ofSeconds(10));
    assertThat(gate.wait("p"))
        .returns(ModelWait.Cause.RATE_LIMIT, ModelWait::cause)
        .satisfies(wait -> assertThat(wait.until()).isAfter(time.instant()));
  }

  @Test
  void aProbeThatIsDueWaitsForTheFirstCallThatIsReady() {
    ModelGate gate = new ModelGate("m", false, CallLimits.NONE, null, time);
    if (enter(gate, 0, null).join() instanceof Decision.Admitted admitted) {
      var _ =
          gate.finished(
              admitted, 1, new ModelFailure.AuthenticationFailed("bad key"), TokenCounts.NONE);
    }
    var _ = enter(gate, 60, DOWN);
    time.advance(Duration.ofSeconds(30)); // The probe was due after five seconds.
    assertThat(gate.wait("p"))
        .returns(ModelWait.Cause.AUTHENTICATION, ModelWait::cause)
        .returns(time.instant().plusSeconds(30), ModelWait::until);
  }
}
