package dev.abacus.optimizer.governor;

import static dev.abacus.optimizer.governor.GovernedWorld.GROUPS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Range;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A new plan gets a share of the documents before it gets all. */
class CanaryTest {

  @Test
  void aGoodCanaryGetsAllDocuments() throws Exception {
    GovernedWorld world = canary();
    world.documents(1, 300).documents(2, 20).pass(10);
    assertThat(world.moves).isEmpty();

    world.documents(2, 40).pass(10);

    assertThat(world.active.epoch()).isEqualTo(2);
    assertThat(world.active.share()).isEqualTo(1);
    assertThat(world.active.reason()).contains("promoted");
    assertThat(world.pass(100).moves).hasSize(1);
  }

  @Test
  void aCanaryWhoseDocumentsFailIsRolledBackForGood() throws Exception {
    GovernedWorld world = canary();
    world.documents(1, 300, 1, 3).documents(2, 12, 1, 6).pass(10);

    assertThat(world.active.epoch()).isEqualTo(1);
    assertThat(world.active.beside()).isEqualTo(2);
    assertThat(world.active.reason()).contains("rolled back", "6 of 12 documents failed");
    assertThat(world.restart().pass(300).moves).hasSize(1);
  }

  @Test
  void aCanaryThatCostsMoreThanPromisedIsRolledBack() throws Exception {
    GovernedWorld world = canary();
    world.documents(1, 300).documents(2, 40, 2, 0).pass(10);

    assertThat(world.active.epoch()).isEqualTo(1);
    assertThat(world.active.reason()).contains("promised were $");
  }

  @Test
  void aCanaryThatTheJudgeFindsWorseThanPromisedIsRolledBack() throws Exception {
    GovernedWorld world = canary();
    world.sure(2, new Range(0.95, 0.9, 1.0));
    world.documents(1, 300).documents(2, 40).judged(2, 40, 0.9).pass(10);
    assertThat(world.moves).isEmpty();

    world.judged(2, 60, 0.5).pass(10);

    assertThat(world.active.epoch()).isEqualTo(1);
    assertThat(world.active.reason())
        .contains("rolled back", "the judge finds a quality of 0.66 in 100 outputs of answer");
  }

  /** Half of the documents fail under both plans, and every report is looked at. */
  @Test
  void goodCanariesAreNotRolledBack() throws Exception {
    GovernedWorld world = canary();
    PhysicalPlan plan = Objects.requireNonNull(world.plans.get(2L));
    int bad = 0;
    for (int seed = 0; seed < 100; seed++) {
      Random random = new Random(seed);
      EpochCounts seen = EpochCounts.none(2);
      EpochCounts beside = EpochCounts.none(1);
      CanaryGuard.Verdict verdict = null;
      while (verdict == null) {
        double cost = plan.estimate().cost() * -1.25 * Math.log1p(-random.nextDouble());
        seen = seen.with(cost, plan.estimate().latency(), random.nextBoolean());
        for (int i = 0; i < 19; i++) {
          beside = beside.with(1, 1, random.nextBoolean());
        }
        verdict = new CanaryGuard(50).judge(plan, seen, beside, Map.of());
      }
      bad += verdict.promoted() ? 0 : 1;
    }
    assertThat(bad).isLessThanOrEqualTo(1);
  }

  @Test
  void theCostOfAGroupDoesNotRollACanaryBack() throws Exception {
    GovernedWorld world = canary(new GovernedWorld("governor: { canary: 0.05 }", GROUPS));
    world.groups(1, 300, 20, 1).groups(2, 60, 20, 1).pass(10);

    assertThat(world.active.epoch()).isEqualTo(2);
    assertThat(world.active.reason()).contains("promoted");
  }

  private static GovernedWorld canary() throws Exception {
    return canary(
        new GovernedWorld(
            "governor: { canary: 0.05 }",
            "{ map: answer, instruction: Answer., writes: { reply: { type: string } } }"));
  }

  private static GovernedWorld canary(GovernedWorld world) {
    world.publish(2, world.plan("gpt-4.1-mini", 0.95, 0.003, 3), List.of());
    world.active = new ControlRecord.Activated("p", 2, 0.05, "found", ControlRecord.OPTIMIZER, 1L);
    return world.pass(10);
  }
}
