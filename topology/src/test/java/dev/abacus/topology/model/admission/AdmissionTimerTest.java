package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import dev.abacus.schemas.supervision.ThreadStatus;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class AdmissionTimerTest {

  private final Supervisor supervisor =
      new Supervisor(
          new RestartPolicy(Duration.ofMillis(1), Duration.ofMillis(5), 10, _ -> false),
          Clock.systemUTC());

  @Test
  void aTaskThatFailsIsSeenAndRunsAgain() throws Exception {
    List<ThreadStatus> seen = new CopyOnWriteArrayList<>();
    CountDownLatch failures = new CountDownLatch(2);
    CountDownLatch succeeded = new CountDownLatch(1);
    try (AdmissionTimer timer = AdmissionTimer.system(supervisor.watch("admission"))) {
      timer.schedule(
          Duration.ZERO,
          () -> {
            seen.addAll(supervisor.troubled());
            if (failures.getCount() > 0) {
              failures.countDown();
              throw new StackOverflowError("deep");
            }
            succeeded.countDown();
          });
      succeeded.await();
    }
    assertThat(seen).hasSize(2);
    assertThat(seen.getLast().describe()).contains("admission", "2 failures", "deep");
  }

  @Test
  void aTaskThatShowsABrokenJvmEndsTheProcess() throws Exception {
    try (AdmissionTimer timer = AdmissionTimer.system(supervisor.watch("admission"))) {
      timer.schedule(
          Duration.ZERO,
          () -> {
            throw new NoClassDefFoundError("Gate");
          });
      assertThat(supervisor.failure().get(20, TimeUnit.SECONDS).describe())
          .contains("admission", "Gate");
    }
  }
}
