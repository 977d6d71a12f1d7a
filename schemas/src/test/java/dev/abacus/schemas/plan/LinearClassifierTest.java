package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class LinearClassifierTest {

  /** Says "a" the larger the first component is, "b" the larger the second. */
  private static final float[][] ROWS = {{4, 0, 0}, {0, 4, 0}};

  private static LinearClassifier classifier(float[][] rows, double... thresholds) {
    return LinearClassifier.of(
        new TrainedClassifier(
            List.of("\"a\"", "\"b\""),
            TrainedClassifier.encode(rows),
            java.util.Arrays.stream(thresholds).boxed().toList(),
            0.9,
            50));
  }

  @Test
  void itAnswersWhereItIsSureEnoughOfThatClass() {
    LinearClassifier classifier = classifier(ROWS, 0.9, 2);

    assertThat(classifier.answer(new float[] {1, 0})).isEqualTo("\"a\"");
    assertThat(classifier.answer(new float[] {0.7f, 0.7f})).isNull();
    assertThat(classifier.answer(new float[] {0, 1})).as("never alone").isNull();
  }

  @Test
  void whatIsLikeNothingSeenBeforeGetsNoAnswer() {
    LinearClassifier classifier =
        LinearClassifier.of(
            new TrainedClassifier(
                List.of("\"a\"", "\"b\""),
                // The intercept alone makes "a" probable, whatever the document is.
                TrainedClassifier.encode(new float[][] {{4, 0, 9}, {0, 4, 0}}),
                List.of(0.9, 0.9),
                0.9,
                50,
                2.0));
    assertThat(classifier.answer(new float[] {0.6f, 0})).isEqualTo("\"a\"");
    assertThat(classifier.answer(new float[] {0.4f, 0})).isNull();
  }

  @Test
  void probabilitiesAddUpHoweverLargeTheScores() {
    float[][] large = {{1e6f, 0, 0}, {0, 1e6f, 0}};
    assertThat(LinearClassifier.probabilities(large, new float[] {1, 0})).containsExactly(1, 0);
    assertThat(LinearClassifier.probabilities(ROWS, new float[] {1, 1})).containsExactly(0.5, 0.5);
  }

  @Test
  void whatIsNoNumberIsNoAnswer() {
    assertThat(classifier(ROWS, 0.5, 0.5).answer(new float[] {Float.NaN, 0})).isNull();
  }

  @Test
  void otherDimensionsAndBrokenWeightsAreRefused() {
    assertThatThrownBy(() -> classifier(ROWS, 0.5, 0.5).answer(new float[] {1, 0, 0}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("has 3 dimensions, the classifier expects 2");
    assertThatThrownBy(() -> classifier(new float[][] {{Float.NaN, 0}, {0, 0}}, 0.5, 0.5))
        .isInstanceOf(IllegalArgumentException.class);
    TrainedClassifier torn =
        new TrainedClassifier(List.of("1", "2"), "AAAAAAAAAAAAAA==", List.of(1.0, 1.0), 0.9, 5);
    assertThatThrownBy(() -> LinearClassifier.of(torn))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
