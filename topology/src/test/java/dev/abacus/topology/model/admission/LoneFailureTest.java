package dev.abacus.topology.model.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.topology.model.admission.LoneFailure.Tally;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a call that keeps failing is itself the reason. */
class LoneFailureTest {

  @ParameterizedTest
  @CsvSource({"0, 5, 5", "1, 9, 8", "1, 3, 12", "1, 1, 21"})
  void theAttemptsUntilTheVerdictGrowWithTheFailuresOfOtherCalls(
      int othersFail, int othersAnswer, int expected) {
    LoneFailure call = new LoneFailure(new Tally(0, 0));
    int attempts = 0;
    long answers = 0;
    long faults = 0;
    boolean verdict = false;
    while (!verdict && attempts < 100) {
      answers += 4L * othersAnswer;
      faults += 4L * othersFail + 1;
      attempts++;
      verdict = call.failed(new Tally(answers, faults));
    }
    assertThat(attempts).isBetween(expected - 2, expected + 2).isGreaterThanOrEqualTo(5);
  }

  @Test
  void anOutageIsNeverTheFaultOfADocument() {
    LoneFailure call = new LoneFailure(new Tally(1000, 0));
    for (int i = 1; i <= 10_000; i++) {
      assertThat(call.failed(new Tally(1000, i * 50L))).isFalse();
    }
  }

  @Test
  void chanceAlmostNeverGivesACallUpWhateverTheFailureRateOfTheProvider() {
    Random random = new Random(3);
    int givenUp = 0;
    for (int run = 0; run < 20_000; run++) {
      double rate = 0.05 + 0.9 * random.nextDouble();
      LoneFailure call = new LoneFailure(new Tally(0, 0));
      long answers = 0;
      long faults = 0;
      boolean verdict = false;
      while (!verdict && random.nextDouble() < rate) {
        for (int other = 0; other < 5; other++) {
          boolean fails = random.nextDouble() < rate;
          answers += fails ? 0 : 1;
          faults += fails ? 1 : 0;
        }
        verdict = call.failed(new Tally(answers, ++faults));
      }
      givenUp += verdict ? 1 : 0;
    }
    assertThat(givenUp).isLessThanOrEqualTo(2);
  }
}
