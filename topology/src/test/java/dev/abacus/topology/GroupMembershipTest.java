package dev.abacus.topology;

import static dev.abacus.topology.Await.until;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class GroupMembershipTest {

  private static final String THREAD = "app-StreamThread-1";

  private final AtomicLong now = new AtomicLong();
  private final AtomicInteger questions = new AtomicInteger();
  private volatile Set<String> members = Set.of(THREAD + "-consumer");
  private volatile boolean away;

  private final GroupMembership membership =
      new GroupMembership("app", Duration.ofSeconds(6), this::ask, now::get);

  private Set<String> ask() throws TimeoutException {
    questions.incrementAndGet();
    if (away) {
      throw new TimeoutException("no broker");
    }
    return members;
  }

  private void pass(Duration time) {
    now.addAndGet(time.toNanos());
  }

  /** Asks as calls do, each a pause after the one before. */
  private boolean isConfirmedWithin(int questionsMore) throws InterruptedException {
    int last = questions.get() + questionsMore;
    while (!membership.isConfirmed(THREAD)) {
      if (questions.get() >= last) {
        return membership.isConfirmed(THREAD);
      }
      pass(Duration.ofMillis(200));
    }
    return true;
  }

  @Test
  void aMemberIsConfirmedByOneQuestionForAThirdOfItsSession() throws InterruptedException {
    assertThat(isConfirmedWithin(1)).isTrue();
    pass(Duration.ofMillis(1900));
    assertThat(membership.isConfirmed(THREAD)).isTrue();
    assertThat(questions).hasValue(1);
  }

  @Test
  void aConfirmationIsRenewedBeforeItIsTooOld() throws InterruptedException {
    assertThat(isConfirmedWithin(1)).isTrue();
    pass(Duration.ofMillis(2100));
    assertThat(membership.isConfirmed(THREAD)).as("at once").isTrue();
    until(() -> questions.get() >= 2);
  }

  @Test
  void aProcessThatWasFrozenIsNotConfirmedByWhatItKnewBefore() throws InterruptedException {
    assertThat(isConfirmedWithin(1)).isTrue();
    members = Set.of("other-StreamThread-1-consumer");
    pass(Duration.ofSeconds(80));
    assertThat(isConfirmedWithin(3)).isFalse();
    members = Set.of("other-StreamThread-1-consumer", THREAD + "-consumer");
    assertThat(isConfirmedWithin(3)).as("it joined again").isTrue();
  }

  @Test
  void withoutAnAnswerNothingIsConfirmedAfterTwoThirdsOfTheSession() throws InterruptedException {
    assertThat(isConfirmedWithin(1)).isTrue();
    away = true;
    pass(Duration.ofMillis(3900));
    assertThat(membership.isConfirmed(THREAD)).isTrue();
    pass(Duration.ofMillis(200));
    assertThat(isConfirmedWithin(3)).isFalse();
  }
}
