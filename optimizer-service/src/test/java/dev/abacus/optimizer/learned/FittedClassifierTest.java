package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.plan.LinearClassifier;
import dev.abacus.schemas.plan.TrainedClassifier;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FittedClassifierTest {

  private static final Clouds EASY = new Clouds(3, 8, 0.15, 0);

  private static TrainingResult train(List<LabelledVector> examples, double target) {
    return FittedClassifier.fit(examples, EASY.names()).at(target);
  }

  @ParameterizedTest
  @CsvSource({
    "2, 0.40, 0.00, 0.90",
    "2, 0.60, 0.05, 0.90",
    "2, 0.30, 0.08, 0.90",
    "2, 0.40, 0.00, 0.95",
    "6, 0.30, 0.02, 0.90",
    "6, 0.30, 0.00, 0.95",
  })
  void itsPrecisionOnFreshDataReachesTheTargetInNineRunsOfTen(
      int classes, double scatter, double wrongLabels, double target) {
    Clouds clouds = new Clouds(classes, 12, scatter, wrongLabels);
    int trained = 0;
    int reached = 0;
    for (int seed = 0; seed < 60; seed++) {
      Random random = new Random(seed);
      FittedClassifier fitted = FittedClassifier.fit(clouds.draw(300, random), clouds.names());
      TrainedClassifier classifier = fitted.at(target).classifier();
      if (classifier == null) {
        continue;
      }
      LinearClassifier at = LinearClassifier.of(classifier);
      int alone = 0;
      int right = 0;
      for (LabelledVector fresh : clouds.draw(2000, random)) {
        String answer = at.answer(fresh.vector());
        alone += answer == null ? 0 : 1;
        right += clouds.names().get(fresh.answer()).equals(answer) ? 1 : 0;
      }
      trained++;
      reached += right >= target * alone ? 1 : 0;
    }
    assertThat(trained).as("runs with a classifier").isGreaterThan(10);
    assertThat((double) reached / trained).isGreaterThanOrEqualTo(0.9);
  }

  @Test
  void theSameExamplesInWhateverOrderGiveTheSameBytes() {
    List<LabelledVector> examples = EASY.draw(80, new Random(1));
    List<LabelledVector> shuffled = new ArrayList<>(examples);
    Collections.shuffle(shuffled, new Random(2));

    assertThat(train(examples, 0.9).classifier()).isNotNull();
    assertThat(train(shuffled, 0.9)).isEqualTo(train(examples, 0.9));
  }

  @Test
  void oneClassOnlyIsNoClassifierAndNoError() {
    List<LabelledVector> one =
        EASY.draw(60, new Random(1)).stream()
            .map(example -> new LabelledVector(example.id(), example.vector(), 1, true))
            .toList();

    assertThat(train(one, 0.9)).isEqualTo(TrainingResult.NONE);
  }

  @Test
  void tooFewExamplesAreNoClassifier() {
    assertThat(train(List.of(), 0.9)).isEqualTo(TrainingResult.NONE);
    assertThat(train(EASY.draw(19, new Random(1)), 0.9)).isEqualTo(TrainingResult.NONE);
    assertThat(train(EASY.draw(28, new Random(1)), 0.9)).isEqualTo(TrainingResult.NONE);
  }

  @Test
  void whatCannotBeToldApartIsNeverAnsweredAlone() {
    assertThat(train(new Clouds(3, 8, 50, 0).draw(200, new Random(1)), 0.9))
        .isEqualTo(TrainingResult.NONE);
  }

  @Test
  void brokenVectorsAreLeftAside() {
    List<LabelledVector> examples = new ArrayList<>(EASY.draw(80, new Random(1)));
    TrainingResult clean = train(examples, 0.9);
    examples.add(new LabelledVector("nan", new float[] {Float.NaN, 0, 0, 0, 0, 0, 0, 0}, 0, true));
    examples.add(new LabelledVector("short", new float[] {1, 0}, 0, true));
    examples.add(new LabelledVector("empty", new float[0], 0, true));

    assertThat(train(examples, 0.9)).isEqualTo(clean);
  }

  @Test
  void aClassThatIsOftenWrongNeverAnswersAlone() {
    List<LabelledVector> examples = new ArrayList<>();
    for (LabelledVector example : new Clouds(3, 8, 0.05, 0).draw(400, new Random(3))) {
      // Half of what looks like class 2 is class 1.
      boolean mixed = example.answer() == 2 && examples.size() % 2 == 0;
      examples.add(
          new LabelledVector(example.id(), example.vector(), mixed ? 1 : example.answer(), true));
    }
    TrainedClassifier trained = Objects.requireNonNull(train(examples, 0.9).classifier());

    assertThat(trained.thresholds().get(0)).isLessThan(1);
    assertThat(trained.thresholds().get(2)).isGreaterThan(1);
  }

  @Test
  void thresholdsRestOnLabelsWhereThereAreEnough() {
    List<LabelledVector> examples = new ArrayList<>();
    for (LabelledVector example : EASY.draw(120, new Random(4))) {
      boolean labelled = examples.size() < 60;
      // A model that is always wrong about what nobody labelled.
      int answer = labelled ? example.answer() : (example.answer() + 1) % 3;
      examples.add(new LabelledVector(example.id(), example.vector(), answer, labelled));
    }
    TrainingResult onLabels = train(examples.subList(0, 60), 0.9);

    assertThat(onLabels.unseen()).hasSize(60);
    assertThat(Objects.requireNonNull(onLabels.classifier()).precision()).isGreaterThan(0.9);
  }
}
