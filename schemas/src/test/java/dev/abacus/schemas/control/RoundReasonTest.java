package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class RoundReasonTest {

  @Test
  void aDriftNamesWhatDiffersAndWhatIsMeasuredAnew() {
    String token = RoundReason.drift(3, "cost per document is $2, not $1", "a=m(x) -> b=m(y)");

    assertThat(RoundReason.of(token)).isEqualTo("cost per document is $2, not $1");
    assertThat(RoundReason.isOf(token, "b=m(y)")).isTrue();
    assertThat(RoundReason.isOf(token, "b=m")).isFalse();
  }

  @Test
  void correctedResultsVoidNothing() {
    String token = RoundReason.feedback(1, 20);

    assertThat(RoundReason.of(token)).isEqualTo("20 results were corrected");
    assertThat(RoundReason.isOf(token, "a=m")).isFalse();
  }

  @Test
  void aTokenOfAUserIsNoReason() {
    for (String token : List.of("", "again", "drift", "drift 1", "drift x: y", "feedback 2")) {
      assertThat(RoundReason.of(token)).isEmpty();
      assertThat(RoundReason.isOf(token, "a=m")).isFalse();
    }
  }
}
