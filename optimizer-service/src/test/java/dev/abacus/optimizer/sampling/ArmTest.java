package dev.abacus.optimizer.sampling;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.ReducedContext;
import org.junit.jupiter.api.Test;

class ArmTest {

  @Test
  void featuresAreReadOffAnImplementation() {
    Arm arm = Arm.of(new ReducedContext("small", "embedder", 2000, 4));

    assertThat(arm.technique()).isEqualTo("reduced-context");
    assertThat(arm.models()).containsExactly("small");
    assertThat(arm.roles()).containsOnlyKeys("model");
    assertThat(arm.numbers()).containsEntry("chunkTokens", 2000.0).containsEntry("k", 4.0);
    assertThat(arm.labels()).containsEntry("embedder", "embedder");
  }

  @Test
  void armsAreEqualIfTheirIdsAre() {
    PhysicalOperator physical = new ModelSelection("small");

    assertThat(Arm.of(physical)).isEqualTo(Arm.named(physical.id()));
  }
}
