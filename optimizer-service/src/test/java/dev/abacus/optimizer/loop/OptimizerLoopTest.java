package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SampleBudget;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OptimizerLoopTest {

  private static final String QUALITY = "maximize quality subject to cost <= 0.01";
  private static final SampleBudget SAMPLES = new SampleBudget.Invocations(150);

  private static final Function<SampleTask, Observation> WORLD = TestWorld.scattered(5);

  private static TestRun run() {
    return run(1);
  }

  private static TestRun run(long order) {
    return new TestRun(WORLD, order).program(triage(QUALITY, SAMPLES)).examples(40);
  }

  @Test
  void aProgramWithoutSemanticOperatorsHasAPlanAtOnce() {
    Program program =
        TestPrograms.of("maximize quality", null, new Project("slim", "messages", List.of("text")));
    TestRun run = new TestRun(WORLD, 1).program(program);

    run.finish();

    assertThat(run.plans).hasSize(1);
    assertThat(run.activations.getFirst().reason()).contains("one plan");
    assertThat(run.issued).isEmpty();
  }

  @Test
  void withoutValidationExamplesItWaitsForThem() {
    TestRun run = new TestRun(WORLD, 1).program(triage(QUALITY, SAMPLES));

    assertThat(run.decide()).isEmpty();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.WAITING_FOR_EXAMPLES);
    assertThat(run.status().message()).contains("triage.validation");
  }

  @Test
  void publishesAPlanEarlyThenBetterOnesAndFinishes() {
    TestRun run = run();

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
    TestRun run = run();

    run.decide();
    while (run.plans.isEmpty()) {
      run.answerOne();
      run.decide();
    }

    assertThat(run.issued.size() - run.waiting.size()).isLessThanOrEqualTo(75);
  }

  @Test
  void everyPlanStandsBeforeItsActivation() {
    TestRun run = run().finish();

    List<ControlRecord> published =
        run.actions.stream()
            .filter(LoopAction.Publish.class::isInstance)
            .map(action -> ((LoopAction.Publish) action).record())
            .toList();
    for (int i = 0; i < published.size(); i += 2) {
      PhysicalPlan plan = ((ControlRecord.PlanPublished) published.get(i)).plan();
      assertThat(((ControlRecord.Activated) published.get(i + 1)).epoch()).isEqualTo(plan.epoch());
    }
  }

  @Test
  void nothingIsDecidedTwice() {
    TestRun run = run().finish();

    assertThat(run.decide()).isEmpty();
    run.topics.stream().toList().forEach(run.loop()::apply);
    assertThat(run.decide()).isEmpty();
  }

  @Test
  void theOrderInWhichSamplesComeBackDoesNotChangeTheEnd() {
    TestRun one = run(1).finish();
    for (long order = 2; order < 5; order++) {
      TestRun other = run(order).finish();

      assertThat(ids(other.issued)).containsExactlyInAnyOrderElementsOf(ids(one.issued));
      assertThat(other.activePlan().choice()).isEqualTo(one.activePlan().choice());
      assertThat(other.activePlan().frontier()).isEqualTo(one.activePlan().frontier());
    }
  }

  @Test
  void theSameEventsGiveTheSameActions() {
    assertThat(run(3).finish().actions).isEqualTo(run(3).finish().actions);
  }

  @Test
  void aRestartAtAnyMomentIssuesNoTaskTwiceAndEndsAtTheSamePlan() {
    PhysicalPlan expected = run(1).finish().activePlan();
    for (int seed = 0; seed < 5; seed++) {
      Random random = new Random(seed);
      TestRun run = run(seed);
      for (int i = 0; i < 5; i++) {
        run.answer(random.nextInt(40)).restart();
      }
      run.finish();

      assertThat(ids(run.issued)).doesNotHaveDuplicates();
      assertThat(run.issued).hasSizeBetween(140, 150);
      assertThat(run.activePlan().choice()).isEqualTo(expected.choice());
    }
  }

  @Test
  void topicsMayBeReplayedInAnyOrderBetweenThem() {
    TestRun run = run().answer(60);
    List<LoopEvent> shuffled = new ArrayList<>(run.topics);
    List<LoopEvent> control =
        run.topics.stream().filter(LoopEvent.ControlSet.class::isInstance).toList();
    shuffled.removeAll(control);
    Collections.shuffle(shuffled, new Random(4));
    control.reversed().forEach(shuffled::addFirst);
    TestRun straight = run().answer(60).restart();

    run.restart(shuffled);

    assertThat(run.decide()).isEqualTo(straight.decide());
    assertThat(run.finish().activePlan().choice())
        .isEqualTo(straight.finish().activePlan().choice());
  }

  @Test
  void aRestartAfterTheEndPublishesNothing() {
    TestRun run = run().finish();

    assertThat(run.restart().decide()).isEmpty();
  }

  @Test
  void downstreamIsSampledOnTheOutputOfTheBestOperatorUpstream() {
    TestRun run = run().finish();

    assertThat(run.issued.stream().filter(task -> task.operator().id().equals("answer")))
        .isNotEmpty()
        .allSatisfy(
            task -> assertThat(task.input().get("intent").asText()).startsWith("classify by"));
  }

  @Test
  void aFilterThatDropsEverythingDoesNotStarveWhatComesAfterIt() {
    TestRun run =
        new TestRun(TestWorld.with(WORLD, Set.of("is-problem"), Observation.Outcome.DROPPED), 1)
            .program(triage(QUALITY, SAMPLES))
            .examples(40)
            .finish();

    // A few are kept to try both maps in one call.
    assertThat(perOperator(run)).containsEntry("classify", 48L).containsEntry("answer", 48L);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  private static Map<String, Long> perOperator(TestRun run) {
    return run.issued.stream()
        .collect(Collectors.groupingBy(task -> task.operator().id(), Collectors.counting()));
  }

  @Test
  void anOperatorWhoseEverySampleFailsIsReportedAndTheSearchEnds() {
    TestRun run =
        new TestRun(TestWorld.with(WORLD, Set.of("classify"), Observation.Outcome.FAILED), 1)
            .program(triage(QUALITY, SAMPLES))
            .examples(40)
            .finish();

    assertThat(run.plans).isEmpty();
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.STUCK);
    assertThat(run.status().message())
        .contains("'classify'", "failed", "the model refused")
        .contains("'answer'", "no validation example reaches it");
  }

  @Test
  void aNewTokenTriesAgainWhatFailed() {
    Set<String> broken = new HashSet<>(Set.of("classify"));
    TestRun run =
        new TestRun(
                task -> TestWorld.with(WORLD, broken, Observation.Outcome.FAILED).apply(task), 1)
            .program(triage(QUALITY, SAMPLES))
            .examples(40)
            .finish();
    assertThat(run.plans).isEmpty();

    broken.clear();
    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "the key is right now")).finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.plans).isNotEmpty();
    assertThat(ids(run.issued)).doesNotHaveDuplicates();
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
              .program(triage(QUALITY, budget))
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
        new TestRun(WORLD, 1)
            .program(triage(QUALITY, new SampleBudget.Invocations(2)))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSize(2);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.STUCK);
    assertThat(run.status().message()).contains("'answer'", "the budget is spent");
  }

  @Test
  void aSmallBudgetStillGivesAPlan() {
    TestRun run =
        new TestRun(WORLD, 1)
            .program(triage(QUALITY, new SampleBudget.Invocations(6)))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSize(6);
    assertThat(run.plans).isNotEmpty();
  }

  @Test
  void aChangedObjectiveDecidesAtOnceFromWhatIsKnown() {
    TestRun run = run().finish();
    int issued = run.issued.size();
    Objective cheap = ObjectiveParser.parse("minimize cost subject to quality >= 0.2");

    run.set(new ControlRecord.ObjectiveSet(TestPrograms.NAME, cheap));
    run.decide();

    assertThat(run.issued).hasSize(issued);
    assertThat(run.activePlan().objective()).isEqualTo(cheap);
    assertThat(run.activations.getLast().reason())
        .startsWith("objective changed to minimize cost subject to quality >= 0.2")
        .contains("per document");
  }

  @Test
  void aChangedObjectiveDecidesAtOnceAlsoWhileSamplesAreOut() {
    TestRun run = run().answer(90);
    assertThat(run.waiting).isNotEmpty();
    Objective fast = ObjectiveParser.parse("minimize latency");

    run.set(new ControlRecord.ObjectiveSet(TestPrograms.NAME, fast));
    run.decide();

    assertThat(run.activePlan().objective()).isEqualTo(fast);
    run.finish();
    assertThat(run.activePlan().objective()).isEqualTo(fast);
  }

  @Test
  void aFinishedSearchGoesOnOnlyIfTheNewObjectiveNeedsIt() {
    Program program = triage("minimize cost", new SampleBudget.Invocations(900));
    TestRun easy = new TestRun(WORLD, 1).program(program).examples(24).finish();
    TestRun hard = new TestRun(WORLD, 1).program(program).examples(24).finish();
    int issued = easy.issued.size();
    assertThat(issued).isLessThan(900);

    easy.set(objective("maximize quality")).finish();
    hard.set(objective("minimize cost subject to quality >= 0.9999")).finish();

    assertThat(easy.issued).hasSize(issued);
    assertThat(hard.issued).hasSizeGreaterThan(issued);
    assertThat(hard.status().feasible()).isFalse();
    assertThat(hard.activations.getLast().reason()).contains("no plan known meets");
  }

  private static ControlRecord objective(String text) {
    return new ControlRecord.ObjectiveSet(TestPrograms.NAME, ObjectiveParser.parse(text));
  }

  @Test
  void aNewTokenGrantsTheBudgetOnceMore() {
    TestRun run = run().finish();
    int first = run.issued.size();

    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "again")).finish();
    assertThat(run.issued).hasSizeBetween(first + 130, first + 150);
    int second = run.issued.size();

    run.restart().set(new ControlRecord.Reoptimize(TestPrograms.NAME, "again")).finish();
    assertThat(run.issued).hasSize(second);
    assertThat(ids(run.issued)).doesNotHaveDuplicates();
  }

  @Test
  void whatAUserActivatedStaysUntilSomethingIsAskedFor() {
    TestRun run = run().finish();
    run.set(new ControlRecord.Activated(TestPrograms.NAME, 1, 1, "rollback", "ada"));

    assertThat(run.decide()).isEmpty();
    run.tell(new LoopEvent.ExampleSet(TestPrograms.example(99))).finish();
    assertThat(run.status().epoch()).isEqualTo(1);
    assertThat(run.status().message()).contains("ada", "rollback");
    assertThat(run.restart().decide()).isEmpty();

    int before = run.plans.size();
    run.set(objective("minimize latency")).finish();
    assertThat(run.plans).hasSizeGreaterThan(before);
  }

  @Test
  void aPinIsUsedWhateverItsQuality() {
    PhysicalOperator pinned = new PhysicalOperator.ModelSelection("m3");
    TestRun run = run();
    run.set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", pinned)).finish();

    assertThat(run.activePlan().steps())
        .filteredOn(step -> step.logical().id().equals("classify"))
        .extracting(PlanStep::physical)
        .containsExactly(pinned);
    assertThat(
            run.issued.stream()
                .filter(task -> task.operator().id().equals("classify"))
                .map(SampleTask::physical))
        .containsOnly(pinned);
  }

  @Test
  void aPinSetLaterReplacesThePlanAtOnce() {
    TestRun run = run().finish();
    PlanStep classify =
        run.activePlan().steps().stream()
            // By itself, or in one call with its neighbour.
            .filter(step -> DerivedIds.origins(step.logical().id()).contains("classify"))
            .findFirst()
            .orElseThrow();
    PhysicalOperator other =
        run.issued.stream()
            .filter(task -> task.operator().id().equals("classify"))
            .map(SampleTask::physical)
            .filter(physical -> !physical.equals(classify.physical()))
            .findFirst()
            .orElseThrow();

    run.set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", other)).decide();

    assertThat(run.activePlan().choice().signature()).contains("classify=" + other.id());
    assertThat(run.activations.getLast().reason()).startsWith("an operator was pinned");
  }

  @Test
  void anUnchangedOperatorKeepsItsSamplesWhenTheProgramChanges() {
    TestRun run = run().finish();
    int before = run.issued.size();
    Program changed =
        TestPrograms.of(
            QUALITY,
            new SampleBudget.Invocations(300),
            TestPrograms.filter("is-problem", "messages"),
            TestPrograms.map("classify", "is-problem", "intent"),
            TestPrograms.map("answer", "classify", "letter"),
            new Project("slim", "answer", List.of("intent", "letter")));

    run.program(changed).decide();

    List<SampleTask> added = run.issued.subList(before, run.issued.size());
    assertThat(added).isNotEmpty();
    run.finish();
    assertThat(ids(run.issued)).doesNotHaveDuplicates();
    assertThat(run.activePlan().steps())
        .extracting(PlanStep::logical)
        .containsExactlyInAnyOrderElementsOf(changed.operators());
    assertThat(run.activations).anyMatch(a -> a.reason().startsWith("program changed"));
    // The old plan was in force until there was a new one: no activation in between.
    assertThat(run.activations.stream().map(ControlRecord.Activated::epoch)).isSorted();
  }

  @Test
  void pausingStopsSamplesAndResumingGoesOn() {
    TestRun run = run().answer(10);
    run.set(new ControlRecord.Paused(TestPrograms.NAME, true));
    int issued = run.issued.size();

    run.finish();
    assertThat(run.issued).hasSize(issued);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.PAUSED);

    run.set(new ControlRecord.Paused(TestPrograms.NAME, false)).finish();
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void aRemovedProgramIsLeftAlone() {
    TestRun run = run().answer(30);
    run.tell(new LoopEvent.ControlRemoved(new ControlKey.ProgramKey(TestPrograms.NAME)));

    assertThat(run.decide()).isEmpty();
    assertThat(run.loop().status()).isNull();
  }

  @Test
  void aSampleThatNeverComesBackIsGivenUpInTheEnd() {
    Instant start = Instant.parse("2026-03-01T10:00:00Z");
    TestRun run = run().tell(new LoopEvent.Tick(start));
    run.decide();
    SampleTask lost = run.waiting.removeFirst();
    run.finish();
    assertThat(run.status().samplesOutstanding()).isEqualTo(1);

    run.tell(new LoopEvent.Tick(start.plusSeconds(590))).decide();
    assertThat(run.waiting).isEmpty();
    run.tell(new LoopEvent.Tick(start.plusSeconds(601))).finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(ids(run.issued)).containsOnlyOnce(lost.id());
  }

  @Test
  void withTheDataPlaneDownNothingIsGivenUp() {
    Instant start = Instant.parse("2026-03-01T10:00:00Z");
    TestRun run = run().tell(new LoopEvent.Tick(start));
    run.decide();
    int issued = run.issued.size();

    run.tell(new LoopEvent.Tick(start.plusSeconds(86_400))).decide();

    assertThat(run.issued).hasSize(issued);
  }

  @Test
  void recordsThatMakeNoSenseAreRefusedWithAReason() {
    TestRun run = run();
    OptimizerLoop loop = run.loop();

    assertThat(
            loop.apply(
                set(new ControlRecord.Activated(TestPrograms.NAME, 77, 1, "rollback", "ada"))))
        .contains("no plan of epoch 77");
    assertThat(
            loop.apply(
                set(
                    new ControlRecord.Pinned(
                        TestPrograms.NAME, "slim", new PhysicalOperator.ModelSelection("m1")))))
        .contains("no semantic operator 'slim'");
    assertThat(
            loop.apply(
                set(
                    new ControlRecord.Pinned(
                        TestPrograms.NAME, "classify", new PhysicalOperator.Relational()))))
        .contains("cannot be pinned");
    run.finish();
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  private static LoopEvent set(ControlRecord record) {
    return new LoopEvent.ControlSet(record);
  }

  @Test
  void aChangedLabelMakesSamplesOnItWorthless() {
    TestRun run = run().finish();
    String example = run.issued.getFirst().exampleId();
    var changed =
        new ValidationExample(
            example,
            "messages",
            TestPrograms.example(Integer.parseInt(example.substring(1))).document(),
            Map.of("is-problem", BooleanNode.FALSE));
    int observed = run.status().samplesObserved();

    run.tell(new LoopEvent.ExampleSet(changed)).decide();

    assertThat(run.status().samplesObserved()).isLessThan(observed);
  }

  @Test
  void anUnscoredObservationCountsAgainstTheBudgetButNotAsQuality() {
    TestRun run =
        new TestRun(
                task -> {
                  Observation scored = WORLD.apply(task);
                  return task.exampleId().hashCode() % 2 == 0 ? unscored(scored) : scored;
                },
                1)
            .program(triage(QUALITY, SAMPLES))
            .examples(40)
            .finish();

    assertThat(run.issued).hasSizeBetween(140, 150);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.activePlan().estimate().quality()).isGreaterThan(0);
  }

  private static Observation unscored(Observation scored) {
    return new Observation(
        scored.taskId(),
        scored.program(),
        scored.operator(),
        scored.physical(),
        scored.exampleId(),
        scored.outcome(),
        scored.outputs(),
        null,
        Observation.ScoredBy.NOBODY,
        scored.cost(),
        scored.latency(),
        scored.judgeCost(),
        "the judge is down");
  }

  private static List<String> ids(List<SampleTask> tasks) {
    return tasks.stream().map(SampleTask::id).toList();
  }
}
