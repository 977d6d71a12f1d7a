package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.plan.LinearClassifier;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class LogisticRegressionTest {

  private static final int CLASSES = 3;

  private final List<LabelledVector> examples =
      new Clouds(CLASSES, 5, 0.4, 0.1).draw(150, new Random(3));

  /** The derivative of the penalized loss by one weight, from its formula. */
  private double derivative(float[][] rows, int answer, int component) {
    int intercept = rows[answer].length - 1;
    double derivative =
        component == intercept ? 0 : rows[answer][component] / LogisticRegression.INVERSE_PENALTY;
    for (LabelledVector example : examples) {
      double probability = LinearClassifier.probabilities(rows, example.vector())[answer];
      double input = component == intercept ? 1 : example.vector()[component];
      derivative += (probability - (example.answer() == answer ? 1 : 0)) * input;
    }
    return derivative;
  }

  @Test
  void theGradientOfTheConvexLossIsZeroAtTheSolution() {
    float[][] start = new float[CLASSES][6];
    float[][] rows = LogisticRegression.fit(examples, CLASSES);

    for (int answer = 0; answer < CLASSES; answer++) {
      assertThat(Math.abs(derivative(start, answer, answer))).isGreaterThan(5);
      for (int component = 0; component < rows[answer].length; component++) {
        assertThat(derivative(rows, answer, component))
            .as("class %d, component %d", answer, component)
            .isCloseTo(0, within(0.2));
      }
    }
  }

  @Test
  void theSameExamplesGiveTheSameBits() {
    assertThat(LogisticRegression.fit(examples, CLASSES))
        .isDeepEqualTo(LogisticRegression.fit(examples, CLASSES));
  }
}
