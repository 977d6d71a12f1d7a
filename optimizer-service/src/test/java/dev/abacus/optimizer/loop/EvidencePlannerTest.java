package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** How all labelled examples come to teach, though few are sampled on. */
class EvidencePlannerTest {

  private static final SampleBudget TWENTY = new SampleBudget.Invocations(20);
  private static final Executor AT_ONCE = Runnable::run;

  private static LearnedCascade chosen(CascadeWorld world, String operator) {
    PlanStep step =
        world.plans.getLast().steps().stream()
            .filter(one -> one.logical().id().equals(operator))
            .findFirst()
            .orElseThrow();
    assertThat(step.physical()).isInstanceOf(LearnedCascade.class);
    return (LearnedCascade) step.physical();
  }

  @Test
  void twentySamplesLeadToACascadeThatLearnedFromAllLabelledExamples() {
    CascadeWorld world = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 300).finish();

    assertThat(world.called).hasSizeLessThanOrEqualTo(20);
    assertThat(world.embedded)
        .hasSize(600)
        .extracting(task -> task.operator().id() + task.exampleId())
        .doesNotHaveDuplicates();
    for (String operator : new String[] {"keep", "again"}) {
      assertThat(Objects.requireNonNull(chosen(world, operator).classifier()).examples())
          .isEqualTo(300);
    }
    assertThat(Objects.requireNonNull(world.loop.status()).samplesIssued())
        .as("embedding is no invocation")
        .isEqualTo(world.called.size());
  }

  @Test
  void whatACascadeIsWorthRestsOnAllLabelledExamples() {
    PhysicalPlan plan = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 300).finish().plans.getLast();

    // Seven in ten and a few are decided alone.
    assertThat(plan.steps()).hasSize(2);
    var first =
        Objects.requireNonNull(
            plan.basis()
                .getOrDefault(plan.steps().getFirst().logical().id(), Map.of())
                .get(CascadeWorld.CASCADE.id()));
    assertThat(first.cost().mean()).isCloseTo(0.0025, within(0.001));
    assertThat(first.selectivity()).isCloseTo(0.5, within(0.2));
    assertThat(first.latency().mean())
        .as("what was measured of embedding is the least that it takes")
        .isGreaterThan(CascadeWorld.SECONDS);
    // Of the others, nine in ten are right. A fifth of the samples are of them.
    assertThat(first.quality().low()).isLessThan(0.97);
    assertThat(first.quality().high()).isGreaterThan(0.97);
    assertThat(plan.estimate().quality()).isBetween(0.8, 1.0);
  }

  @Test
  void labelsSayWhatAFilterLetsThroughWhereOneCallIsAllThatWasSampled() {
    PhysicalPlan plan =
        new CascadeWorld(new SampleBudget.Invocations(2), AT_ONCE)
            .examples(0, 300)
            .finish()
            .plans
            .getLast();

    for (PlanStep step : plan.steps()) {
      var sure =
          Objects.requireNonNull(
              plan.basis()
                  .getOrDefault(step.logical().id(), Map.of())
                  .get(CascadeWorld.CASCADE.id()));
      assertThat(sure.samples()).isEqualTo(1);
      assertThat(sure.selectivity()).isCloseTo(0.5, within(0.1));
      assertThat(sure.quality().low()).isLessThan(sure.quality().mean());
    }
  }

  @Test
  void aFilterBehindAFilterIsEmbeddedWithoutWaitingForTheFirst() {
    CascadeWorld world = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 40);

    world.turn();

    assertThat(world.embedded).extracting(task -> task.operator().id()).contains("again");
  }

  @Test
  void examplesThatComeWhenTheSearchIsOverStartNothing() {
    CascadeWorld world = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 128).finish();

    assertThat(world.embedded).hasSize(256);
    assertThat(world.examples(128, 160).turn()).isEmpty();
  }

  @Test
  void tooFewLabelsAreNotEmbeddedForNothing() {
    assertThat(new CascadeWorld(TWENTY, AT_ONCE).examples(0, 19).finish().embedded).isEmpty();
  }

  @Test
  void aBudgetInDollarsPaysForEmbeddingAFifthAtMost() {
    CascadeWorld world =
        new CascadeWorld(new SampleBudget.Dollars(0.2), AT_ONCE).examples(0, 600).finish();

    double spent = Objects.requireNonNull(world.loop.status()).spentUsd();
    assertThat(world.embedded.size() * CascadeWorld.EMBEDDING).isBetween(0.02, 0.04);
    assertThat(spent).isLessThanOrEqualTo(0.2 + 1e-9);
  }

  @Test
  void aClassifierIsFittedOnceThoughItsExamplesComeInBatches() {
    AtomicInteger fits = new AtomicInteger();
    Executor counting =
        fit -> {
          fits.incrementAndGet();
          fit.run();
        };

    new CascadeWorld(TWENTY, counting).examples(0, 300).finish();

    assertThat(fits).as("one for each filter").hasValue(2);
  }

  @Test
  void nothingIsDecidedWhileAClassifierIsFittedAndThePlanIsTheSame() {
    Deque<Runnable> fits = new ArrayDeque<>();
    CascadeWorld world = new CascadeWorld(TWENTY, fits::add).examples(0, 300);
    int waited = 0;
    for (boolean over = false; !over; over = fits.isEmpty()) {
      world.finish();
      int called = world.called.size();
      assertThat(world.turn()).isEmpty();
      assertThat(world.called).hasSize(called);
      waited += fits.size();
      fits.forEach(Runnable::run);
      fits.clear();
      world.finish();
    }
    CascadeWorld direct = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 300).finish();

    assertThat(waited).isEqualTo(2);
    assertThat(Json.write(world.plans.getLast().choice()))
        .isEqualTo(Json.write(direct.plans.getLast().choice()));
    assertThat(world.called)
        .extracting(SampleTask::id)
        .isEqualTo(direct.called.stream().map(SampleTask::id).toList());
  }

  @Test
  void aRestartComesToTheSamePlanToTheByteAndEmbedsNothingAgain() {
    CascadeWorld world = new CascadeWorld(TWENTY, AT_ONCE).examples(0, 300).finish();
    byte[] before = Json.write(world.plans.getLast().choice());

    world.restartWithoutPlans().finish();

    assertThat(Json.write(world.plans.getLast().choice())).isEqualTo(before);
    assertThat(world.embedded).hasSize(600);
  }
}
