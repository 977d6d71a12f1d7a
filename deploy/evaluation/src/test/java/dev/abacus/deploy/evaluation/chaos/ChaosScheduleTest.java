package dev.abacus.deploy.evaluation.chaos;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.chaos.ChaosSchedule.Action;
import dev.abacus.deploy.evaluation.chaos.ChaosSchedule.Event;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChaosScheduleTest {

  private static List<Event> draw(long seed) {
    return ChaosSchedule.draw(
        seed, Duration.ofMinutes(10), Duration.ofSeconds(10), List.of(Action.values()));
  }

  @Test
  void aSeedGivesAlwaysTheSameEvents() {
    assertThat(draw(3)).isEqualTo(draw(3)).isNotEqualTo(draw(4));
  }

  @Test
  void everyActionHappensOnceBeforeAnyHappensAgain() {
    List<Event> events = draw(5);
    assertThat(events).hasSizeGreaterThan(2 * Action.values().length);
    assertThat(events.subList(0, Action.values().length))
        .extracting(Event::action)
        .containsExactlyInAnyOrder(Action.values());
    assertThat(events).extracting(Event::atMillis).isSorted();
  }
}
