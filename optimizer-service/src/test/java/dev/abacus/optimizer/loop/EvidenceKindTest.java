package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.SampleBudget;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Adds a kind of evidence by one file, {@link CorrectedOutputs}, and one registration, in {@link
 * LoopSettings}, as CONTRIBUTING says.
 */
class EvidenceKindTest {

  private static final int DOCUMENTS = 60;

  /** The search samples m0 at about 0.8 and m1 at about 0.6, with scores that scatter. */
  private static PhysicalPlan plan(Map<String, List<Double>> corrected) {
    LoopSettings settings =
        TestRun.measuring(3, 2).toBuilder()
            .evidence(List.of(new CorrectedOutputs("classify", corrected)))
            .build();
    TestRun run =
        new TestRun(
            task -> {
              double mean = task.physical().id().contains("m0") ? 0.8 : 0.6;
              double noise = 0.3 * (TestWorld.unit(3, task.id()) - 0.5);
              return TestWorld.observation(task, Outcome.KEPT, mean + noise, 0.003, 1);
            },
            1,
            settings);
    run.program(TestPrograms.classifying(new SampleBudget.Invocations(20))).examples(40).finish();
    return run.activePlan();
  }

  private static String model(PhysicalPlan plan) {
    return ((ModelSelection) plan.steps().getFirst().physical()).model();
  }

  private static double width(PhysicalPlan plan) {
    Range quality = Objects.requireNonNull(plan.promise()).quality();
    return Objects.requireNonNull(quality.high()) - Objects.requireNonNull(quality.low());
  }

  private static List<Double> around(double mean) {
    return IntStream.range(0, DOCUMENTS)
        .mapToObj(i -> mean + 0.3 * (TestWorld.unit(9, "d" + i) - 0.5))
        .toList();
  }

  @Test
  void evidenceThatAgreesNarrowsThePromise() {
    PhysicalPlan before = plan(Map.of());
    PhysicalPlan after = plan(Map.of("m0", around(0.8)));

    assertThat(model(before)).isEqualTo("m0");
    assertThat(model(after)).isEqualTo("m0");
    assertThat(after.choice().estimate().quality()).isEqualTo(0.8, within(0.03));
    assertThat(width(after)).isLessThan(0.7 * width(before));
  }

  @Test
  void evidenceThatContradictsChangesThePlan() {
    assertThat(model(plan(Map.of("m0", Collections.nCopies(DOCUMENTS, 0.3))))).isEqualTo("m1");
  }
}
