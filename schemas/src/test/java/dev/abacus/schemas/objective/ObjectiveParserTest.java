package dev.abacus.schemas.objective;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ObjectiveParserTest {

  @ParameterizedTest
  @ValueSource(
      strings = {
        "maximize quality",
        "minimize cost",
        "minimize latency subject to quality >= 0.8",
        "maximize quality subject to cost <= 0.002, latency <= 5s"
      })
  void anObjectiveIsWrittenAsItIsRead(String text) {
    assertThat(ObjectiveParser.parse(text)).hasToString(text);
  }

  @Test
  void boundsMayBeStatedInOtherUnits() {
    assertThat(
            ObjectiveParser.parse(
                "Maximize quality subject to cost per 1000 <= $2 and latency <= 800ms"))
        .isEqualTo(
            new Objective(
                Dimension.QUALITY,
                List.of(new Bound(Dimension.COST, 0.002), new Bound(Dimension.LATENCY, 0.8))));
  }

  @ParameterizedTest
  @CsvSource({
    "40 per day at 5000 documents per hour, 0.000333333333333",
    "$2 per hour at 1000 per hour, 0.002",
    "0.5 per minute at 1 document per second, 0.00833333333333"
  })
  void costMayBeARateAtAWorkload(String rate, double perDocument) {
    Objective expected =
        new Objective(Dimension.QUALITY, List.of(new Bound(Dimension.COST, perDocument)));

    Objective read = ObjectiveParser.parse("maximize quality subject to cost <= " + rate);
    assertThat(read).isEqualTo(expected);
    assertThat(ObjectiveParser.parse(read.toString())).isEqualTo(expected);
    assertThat(ObjectiveParser.bound("cost", rate)).isEqualTo(expected.bounds().getFirst());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          make it good                               | is not an objective
          maximize cost                              | makes no sense
          minimize quality                           | makes no sense
          maximize price                             | 'price' is not a dimension
          maximize quality subject to cost < 1       | write 'cost <= 1'
          maximize quality subject to cost >= 1      | write 'cost <= 1'
          maximize quality subject to quality >= 0.5 | bounds its own target
          minimize cost subject to quality >= 1.5    | must be in [0, 1]
          maximize quality subject to cost <= cheap  | 'cheap' is not a number
          maximize quality subject to latency <= NaN | is not a duration
          maximize quality subject to cost <= 1, cost <= 2 | two bounds on cost
          maximize quality subject to cost per 0 <= 1      | 'per 0' documents
          maximize quality subject to cost <= -1           | must be a number >= 0
          maximize quality subject to cost <= 40 per day   | at which workload
          maximize quality subject to cost <= 40 per week at 5 per hour  | there are per second
          maximize quality subject to cost <= 40 per day at 0 per hour   | must be above 0
          maximize quality subject to cost <= 40 per day at many per hour | 'many' is not a number
          maximize quality subject to cost <= 1e400 per day at 5 per hour | '1e400' is not a number
          maximize quality subject to cost <= 40 per day at 1e400 per hour | '1e400' is not a number
          maximize quality subject to latency <= 4 per day at 5 per hour | only cost
          maximize quality subject to cost per 10 <= 4 per day at 5 per hour | state one
          """)
  void aSenselessObjectiveIsRefusedWithWhatWouldBeRight(String text, String message) {
    assertThatThrownBy(() -> ObjectiveParser.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void boundsAreInclusive() {
    assertThat(new Bound(Dimension.COST, 0.5).holds(0.5)).isTrue();
    assertThat(new Bound(Dimension.COST, 0.5).violation(0.75)).isEqualTo(0.25);
    assertThat(new Bound(Dimension.QUALITY, 0.5).violation(0.25)).isEqualTo(0.25);
  }
}
