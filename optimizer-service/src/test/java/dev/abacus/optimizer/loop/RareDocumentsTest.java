package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** A cascade of a filter that keeps one in twenty documents. */
class RareDocumentsTest {

  private static PhysicalOperator chosen(CascadeWorld world) {
    return world.plans.getLast().steps().getFirst().physical();
  }

  private static double quality(PhysicalPlan plan) {
    return Objects.requireNonNull(
            plan.basis().getOrDefault("keep", Map.of()).get(CascadeWorld.CASCADE.id()))
        .quality()
        .mean();
  }

  @Test
  void aClassifierThatDropsEverythingIsNotChosenAlthoughItIsRightNineteenTimesInTwenty() {
    CascadeWorld world = CascadeWorld.rare(false).examples(0, 600).finish();

    assertThat(chosen(world)).isEqualTo(CascadeWorld.MODEL);
  }

  @Test
  void aClassifierThatFindsTheRareDocumentsIsChosen() {
    CascadeWorld world = CascadeWorld.rare(true).examples(0, 600).finish();

    assertThat(quality(world.plans.getLast())).isGreaterThan(0.75);
    assertThat(chosen(world)).isInstanceOf(LearnedCascade.class);
  }
}
