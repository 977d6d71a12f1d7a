package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A loop is the fold of its topics: nothing is decided twice, and order and restarts do not matter.
 */
class LoopReplayTest {

  @Test
  void nothingIsDecidedTwice() {
    TestRun run = TestRun.triaging().finish();

    assertThat(run.decide()).isEmpty();
    run.topics.stream().toList().forEach(run.loop()::apply);
    assertThat(run.decide()).isEmpty();
  }

  @Test
  void theOrderInWhichSamplesComeBackDoesNotChangeTheEnd() {
    TestRun one = TestRun.triaging(1).finish();
    for (long order = 2; order < 5; order++) {
      TestRun other = TestRun.triaging(order).finish();

      assertThat(TestRun.ids(other.issued))
          .containsExactlyInAnyOrderElementsOf(TestRun.ids(one.issued));
      assertThat(other.activePlan().choice()).isEqualTo(one.activePlan().choice());
      assertThat(other.activePlan().frontier()).isEqualTo(one.activePlan().frontier());
    }
  }

  @Test
  void theSameEventsGiveTheSameActions() {
    assertThat(TestRun.triaging(3).finish().actions)
        .isEqualTo(TestRun.triaging(3).finish().actions);
  }

  @Test
  void aRestartAtAnyMomentIssuesNoTaskTwiceAndEndsAtTheSamePlan() {
    PhysicalPlan expected = TestRun.triaging(1).finish().activePlan();
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      TestRun run = TestRun.triaging(seed);
      for (int i = 0; i < 5; i++) {
        run.answer(random.nextInt(40)).restart();
      }
      run.finish();

      assertThat(TestRun.ids(run.issued)).doesNotHaveDuplicates();
      assertThat(run.issued).hasSizeBetween(140, 150);
      assertThat(run.activePlan().choice()).isEqualTo(expected.choice());
    }
  }

  @Test
  void topicsMayBeReplayedInAnyOrderBetweenThem() {
    TestRun run = TestRun.triaging().answer(60);
    List<LoopEvent> shuffled = new ArrayList<>(run.topics);
    List<LoopEvent> control =
        run.topics.stream().filter(LoopEvent.ControlSet.class::isInstance).toList();
    shuffled.removeAll(control);
    Collections.shuffle(shuffled, new Random(4));
    control.reversed().forEach(shuffled::addFirst);
    TestRun straight = TestRun.triaging().answer(60).restart();

    run.restart(shuffled);

    assertThat(run.decide()).isEqualTo(straight.decide());
    assertThat(run.finish().activePlan().choice())
        .isEqualTo(straight.finish().activePlan().choice());
  }

  @Test
  void aSearchWhoseSamplesWereDeletedGoesOnWithTheirObservations() {
    PhysicalPlan expected = TestRun.triaging(1).finish().activePlan();
    TestRun run = TestRun.triaging(1).answer(60);
    run.topics.removeIf(DrawnSample.class::isInstance);
    run.waiting.clear();

    run.restart().finish();

    assertThat(run.activePlan().choice()).isEqualTo(expected.choice());
  }

  @Test
  void aRestartAfterTheEndPublishesNothing() {
    TestRun run = TestRun.triaging().finish();

    assertThat(run.restart().decide()).isEmpty();
  }
}
