package dev.abacus.schemas.kafka;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticMap;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class DrawTest {

  private static final Estimate ESTIMATE = new Estimate(1, 0, 0);

  private static PlanChoice plan(String model) {
    SemanticMap map =
        new SemanticMap(
            "fill",
            "docs",
            "Fill in.",
            List.of("text"),
            List.of(new Field("a", new FieldType.StringType(List.of()), "", false)));
    return new PlanChoice(List.of(new PlanStep(map, new ModelSelection(model))), ESTIMATE);
  }

  private static boolean isMixedIn(byte @Nullable [] key, int offset) {
    PlanChoice mixture = plan("one").mixedWith(plan("two"), 0.3);
    return Draw.isMixedIn(mixture, key, "docs-0@" + offset);
  }

  private static byte[] key(int number) {
    return ("customer-" + number).getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void aShareOfTheKeysGetsTheOtherPlan() {
    assertThat(IntStream.range(0, 20_000).filter(i -> isMixedIn(key(i), i)).count() / 20_000.0)
        .isEqualTo(0.3, within(0.01));
    assertThat(IntStream.range(0, 20_000).filter(i -> isMixedIn(null, i)).count() / 20_000.0)
        .as("documents without a key")
        .isEqualTo(0.3, within(0.01));
  }

  @Test
  void allDocumentsOfAKeyGetTheSamePlan() {
    for (int i = 0; i < 100; i++) {
      assertThat(isMixedIn(key(i), 1)).isEqualTo(isMixedIn(key(i), 2));
    }
  }

  /** Else a canary would see the documents of one of both plans only. */
  @Test
  void theShareIsTheSameInEveryPartition() {
    for (int partition = 0; partition < 4; partition++) {
      int own = partition;
      int[] keys =
          IntStream.range(0, 40_000)
              .filter(i -> Utils.toPositive(Utils.murmur2(key(i))) % 4 == own)
              .toArray();
      assertThat(
              IntStream.of(keys).filter(i -> isMixedIn(key(i), i)).count() / (double) keys.length)
          .isEqualTo(0.3, within(0.02));
    }
  }
}
