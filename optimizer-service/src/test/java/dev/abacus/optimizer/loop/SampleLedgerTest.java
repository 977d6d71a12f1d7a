package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class SampleLedgerTest {

  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final StateFixture fixture = new StateFixture(new SampleBudget.Invocations(20));

  private int outstanding() {
    return fixture.view().totals().outstanding();
  }

  @Test
  void aRepeatedTaskCountsOnce() {
    SampleTask task = fixture.task("classify", 0);
    fixture.issue(task, 0, "");
    fixture.issue(task, 1, "");

    assertThat(outstanding()).isEqualTo(1);
    assertThat(fixture.state().ledger().nextWave()).isEqualTo(1);
    assertThat(fixture.state().ledger().isIssued(task.id())).isTrue();
  }

  @Test
  void anObservationMayArriveBeforeItsTask() {
    SampleTask task = fixture.task("classify", 0);
    fixture.observe(task, 0.1);
    fixture.issue(task, 0, "");

    assertThat(outstanding()).isZero();
    assertThat(fixture.view().observed()).isEqualTo(1);
  }

  @Test
  void aTaskIsLostWhenAnotherOfItsWaveWasObservedAndThePatienceRanOut() {
    fixture.state().apply(new LoopEvent.Tick(START));
    SampleTask answered = fixture.issue(fixture.task("classify", 0), 0, "");
    fixture.issue(fixture.task("classify", 1), 0, "");
    fixture.observe(answered, 0.1);

    fixture.state().apply(new LoopEvent.Tick(START.plus(StateFixture.PATIENCE)));
    assertThat(outstanding()).isEqualTo(1);
    fixture.state().apply(new LoopEvent.Tick(START.plus(StateFixture.PATIENCE).plusSeconds(1)));
    assertThat(outstanding()).isZero();
  }

  @Test
  void noTaskIsLostWhileTheDataPlaneIsDown() {
    fixture.state().apply(new LoopEvent.Tick(START));
    fixture.issue(fixture.task("classify", 0), 0, "");

    fixture.state().apply(new LoopEvent.Tick(START.plus(StateFixture.PATIENCE.multipliedBy(5))));

    assertThat(outstanding()).isEqualTo(1);
  }

  @Test
  void aLateObservationStillCounts() {
    SampleTask late = fixture.issue(fixture.task("classify", 0), 0, "");
    fixture.observe(fixture.issue(fixture.task("classify", 1), 1, ""), 0.1);
    assertThat(outstanding()).as("the next wave began").isZero();

    fixture.observe(late, 0.1);

    assertThat(fixture.view().observed()).isEqualTo(2);
  }

  @Test
  void anotherOptimizerWaitsAsLongForTheTasksInFlight() {
    SampleTask answered = fixture.issue(fixture.task("classify", 0), 0, "");
    fixture.issue(fixture.task("classify", 1), 0, "");
    fixture.observe(answered, 0.1);

    fixture.state().apply(new LoopEvent.Tick(START));
    assertThat(outstanding()).as("read from the topics, not heard before the epoch").isEqualTo(1);
    fixture.state().apply(new LoopEvent.Tick(START.plus(StateFixture.PATIENCE).plusSeconds(1)));
    assertThat(outstanding()).isZero();
  }
}
