package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

/** Whoever is the last awake knows that nothing is pending. */
class SleepRuleTest {

  private static SleepRule of(Set<String> own, String... members) {
    return SleepRule.of(own, Set.of(members));
  }

  @Test
  void theOnlyMemberHasAllTasksAndSleeps() {
    assertThat(of(Set.of("b"), "b")).isEqualTo(SleepRule.SLEEP);
    assertThat(of(Set.of("b-1", "b-2"), "b-2", "b-1")).isEqualTo(SleepRule.SLEEP);
  }

  @Test
  void ofSeveralInstancesOneStaysForTheOthers() {
    assertThat(of(Set.of("a"), "a", "b", "c")).isEqualTo(SleepRule.STAY);
    assertThat(of(Set.of("b"), "a", "b", "c")).isEqualTo(SleepRule.LEAVE_TO_OTHERS);
    assertThat(of(Set.of("c"), "a", "b", "c")).isEqualTo(SleepRule.LEAVE_TO_OTHERS);
  }

  @Test
  void anInstanceThatIsNoMemberOrHasNoThreadDoesNotSleep() {
    assertThat(of(Set.of("a"))).isEqualTo(SleepRule.STAY);
    assertThat(of(Set.of("a"), "b")).isEqualTo(SleepRule.STAY);
    assertThat(of(Set.of("a-1", "a-2"), "a-1")).isEqualTo(SleepRule.STAY);
    assertThat(of(Set.of(), "b")).isEqualTo(SleepRule.STAY);
    assertThat(of(Set.of())).isEqualTo(SleepRule.STAY);
  }
}
