package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class LearnableTest {

  private static final TrainedClassifier CLASSIFIER =
      new TrainedClassifier(
          List.of("true", "false"),
          TrainedClassifier.encode(new float[][] {{1, 0}, {0, 1}}),
          List.of(0.9, 0.9),
          0.9,
          20);

  private final LearnedCascade cascade = new LearnedCascade("m", "e", 0.9, null);
  private final EmbeddingJoin join = new EmbeddingJoin("m", "e", null, null);

  @Test
  void learntParametersDoNotChangeTheId() {
    assertThat(cascade.with(CLASSIFIER).id()).isEqualTo(cascade.id());
    assertThat(join.with(0.1, 0.8).id()).isEqualTo(join.id());
  }

  @Test
  void oneThresholdMakesAJoinTrained() {
    assertThat(join.isTrained()).isFalse();
    assertThat(join.with(0.1, null).isTrained()).isTrue();
    assertThat(join.with(null, 0.8).isTrained()).isTrue();
  }

  @Test
  void anUntrainedFormMatchesItsTrainedFormsOnly() {
    assertThat(cascade.matches(cascade.with(CLASSIFIER))).isTrue();
    assertThat(join.matches(join.with(0.1, 0.8))).isTrue();
    assertThat(cascade.matches(new LearnedCascade("other", "e", 0.9, CLASSIFIER))).isFalse();
    assertThat(cascade.matches(new ModelSelection("m"))).isFalse();
  }

  @Test
  void aTrainedFormMatchesItselfOnly() {
    assertThat(join.with(0.1, 0.8).matches(join.with(0.1, 0.8))).isTrue();
    assertThat(join.with(0.1, 0.8).matches(join.with(0.2, 0.8))).isFalse();
    assertThat(cascade.with(CLASSIFIER).matches(cascade)).isFalse();
  }
}
