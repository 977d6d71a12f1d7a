package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The search of one program, from its first sample to its end. */
class OptimizerLoopTest {

  @Test
  void aProgramWithoutSemanticOperatorsHasAPlanAtOnce() {
    Program program =
        TestPrograms.of("maximize quality", null, new Project("slim", "messages", List.of("text")));
    TestRun run = new TestRun(TestRun.WORLD, 1).program(program);

    run.finish();

    assertThat(run.plans).hasSize(1);
    assertThat(run.activations.getFirst().reason()).contains("one plan");
    assertThat(run.issued).isEmpty();
  }

  @Test
  void withoutValidationExamplesItWaitsForThem() {
    TestRun run = new TestRun(TestRun.WORLD, 1).program(triage(TestRun.QUALITY, TestRun.SAMPLES));

    assertThat(run.decide()).isEmpty();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.WAITING_FOR_EXAMPLES);
    assertThat(run.status().message()).contains("triage.validation");
  }

  @Test
  void publishesAPlanEarlyThenBetterOnesAndFinishes() {
    TestRun run = TestRun.triaging();

    run.finish();

    assertThat(run.issued).hasSizeBetween(140, 150);
    assertThat(run.plans.size()).isGreaterThanOrEqualTo(2);
    assertThat(run.plans.stream().map(PhysicalPlan::epoch)).isSorted().startsWith(1L);
    assertThat(run.activations.getFirst().reason()).startsWith("first plan, after");
    assertThat(run.activations.getLast().reason())
        .startsWith("search finished after " + run.issued.size() + " samples");
    assertThat(run.activations).allMatch(activated -> activated.by().equals("optimizer"));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.plans).allSatisfy(plan -> assertThat(plan.frontier()).contains(plan.choice()));
  }

  @Test
  void firstPlanComesBeforeHalfOfTheBudgetIsSpent() {
    TestRun run = TestRun.triaging();

    run.decide();
    while (run.plans.isEmpty()) {
      run.answerOne();
      run.decide();
    }

    assertThat(run.issued.size() - run.waiting.size()).isLessThanOrEqualTo(75);
  }

  @Test
  void everyPlanStandsBeforeItsActivation() {
    TestRun run = TestRun.triaging().finish();

    List<ControlRecord> published =
        run.actions.stream()
            .filter(LoopEvent.ControlSet.class::isInstance)
            .map(action -> ((LoopEvent.ControlSet) action).record())
            .toList();
    for (int i = 0; i < published.size(); i += 2) {
      PhysicalPlan plan = ((ControlRecord.PlanPublished) published.get(i)).plan();
      assertThat(((ControlRecord.Activated) published.get(i + 1)).epoch()).isEqualTo(plan.epoch());
    }
  }

  @Test
  void downstreamIsSampledOnTheOutputOfTheBestOperatorUpstream() {
    TestRun run = TestRun.triaging().finish();

    assertThat(run.issued.stream().filter(task -> task.operator().id().equals("answer")))
        .isNotEmpty()
        .allSatisfy(
            task -> assertThat(task.input().get("intent").asText()).startsWith("classify by"));
  }

  @Test
  void aFilterThatDropsEverythingDoesNotStarveWhatComesAfterIt() {
    TestRun run =
        new TestRun(
                TestWorld.with(TestRun.WORLD, Set.of("is-problem"), Observation.Outcome.DROPPED), 1)
            .program(triage(TestRun.QUALITY, TestRun.SAMPLES))
            .examples(40)
            .finish();

    assertThat(perOperator(run)).containsEntry("classify", 50L).containsEntry("answer", 50L);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  private static Map<String, Long> perOperator(TestRun run) {
    return run.issued.stream()
        .collect(Collectors.groupingBy(task -> task.operator().id(), Collectors.counting()));
  }

  @Test
  void budgetsAreNeverOvershot() {
    for (int seed = 0; seed < 12; seed++) {
      Random random = new Random(seed);
      boolean dollars = random.nextBoolean();
      double usd = 0.02 + 0.3 * random.nextDouble();
      int samples = 1 + random.nextInt(200);
      SampleBudget budget =
          dollars ? new SampleBudget.Dollars(usd) : new SampleBudget.Invocations(samples);
      TestRun run =
          new TestRun(TestWorld.scattered(seed), seed)
              .program(triage(TestRun.QUALITY, budget))
              .examples(1 + random.nextInt(30))
              .finish();

      if (dollars) {
        // No price is known before the first wave, of each operator 24 samples at most.
        double mostExpensive = 0.0125;
        assertThat(run.status().spentUsd()).isLessThanOrEqualTo(usd + 24 * mostExpensive);
      } else {
        assertThat(run.issued.size()).isLessThanOrEqualTo(samples);
      }
      assertThat(run.status().phase()).isIn(LoopStatus.Phase.FINISHED, LoopStatus.Phase.STUCK);
    }
  }

  @Test
  void aBudgetTooSmallForEveryOperatorSaysSo() {
    TestRun run =
        new TestRun(TestRun.WORLD, 1)
            .program(triage(TestRun.QUALITY, new SampleBudget.Invocations(2)))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSize(2);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.STUCK);
    assertThat(run.status().message()).contains("'answer'", "the budget is spent");
  }

  @Test
  void aSmallBudgetStillGivesAPlan() {
    TestRun run =
        new TestRun(TestRun.WORLD, 1)
            .program(triage(TestRun.QUALITY, new SampleBudget.Invocations(6)))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSize(6);
    assertThat(run.plans).isNotEmpty();
  }
}
