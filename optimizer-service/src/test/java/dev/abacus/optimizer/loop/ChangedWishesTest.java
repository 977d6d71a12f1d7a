package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.TestPrograms.triage;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.EpochCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.RoundReason;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.plan.Standing.OfBound;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What users set while a search runs or after it is over. */
class ChangedWishesTest {

  @Test
  void aChangedObjectiveDecidesAtOnceFromWhatIsKnown() {
    TestRun run = TestRun.triaging().finish();
    int issued = run.issued.size();
    Objective cheap = ObjectiveParser.parse("minimize cost subject to quality >= 0.2");

    run.set(new ControlRecord.ObjectiveSet(TestPrograms.NAME, cheap));
    run.decide();

    assertThat(run.issued).hasSize(issued);
    assertThat(run.activePlan().objective()).isEqualTo(cheap);
    assertThat(run.activations.getLast().reason())
        .startsWith("objective changed to minimize cost subject to quality >= 0.2")
        .contains("holds (> 99 %, needs 90 %): quality >= 0.2");
  }

  @Test
  void aChangedObjectiveDecidesAtOnceAlsoWhileSamplesAreOut() {
    TestRun run = TestRun.triaging().answer(90);
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
    TestRun easy = new TestRun(TestRun.WORLD, 1).program(program).examples(24).finish();
    TestRun hard = new TestRun(TestRun.WORLD, 1).program(program).examples(24).finish();
    int issued = easy.issued.size();
    assertThat(issued).isLessThan(900);

    easy.set(objective("maximize quality")).finish();
    hard.set(objective("minimize cost subject to quality >= 0.9999")).finish();

    assertThat(easy.issued).hasSize(issued);
    assertThat(hard.issued).hasSizeGreaterThan(issued);
    assertThat(hard.status().feasible()).isFalse();
    assertThat(hard.activations.getLast().reason())
        .contains("; misses (", "): quality >= 0.9999; no plan that was sampled is estimated to");
  }

  @Test
  void aNewTokenGrantsTheBudgetOnceMore() {
    TestRun run = TestRun.triaging().finish();
    int first = run.issued.size();

    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, "again")).finish();
    assertThat(run.issued).hasSizeBetween(first + 130, first + 150);
    int second = run.issued.size();

    run.restart().set(new ControlRecord.Reoptimize(TestPrograms.NAME, "again")).finish();
    assertThat(run.issued).hasSize(second);
    assertThat(TestRun.ids(run.issued)).doesNotHaveDuplicates();
  }

  @Test
  void thePlanOfANewRoundSaysWhyTheRoundBegan() {
    TestRun run = TestRun.triaging().finish();
    assertThat(run.reason())
        .startsWith("search finished after ")
        .contains(" samples (the search's part of the budget is spent)");

    String token = RoundReason.drift(1, "cost per document is $0.02, not $0.01", "classify=m1");
    run.set(new ControlRecord.Reoptimize(TestPrograms.NAME, token)).finish();

    assertThat(run.reason())
        .startsWith(
            "new round because cost per document is $0.02, not $0.01: search finished after ");
  }

  /** The plan was decided for another objective, and the user asks whether it keeps this one. */
  @Test
  void aPlanThatAUserWentBackToIsSaidToKeepTheBoundsInForce() {
    TestRun run = TestRun.triaging().finish();
    PhysicalPlan before = run.activePlan();
    run.set(objective("minimize cost subject to quality >= 0.2")).finish();
    run.set(new ControlRecord.Activated(TestPrograms.NAME, before.epoch(), 1, "rollback", "ada"));

    assertThat(before.standing().bounds())
        .extracting(OfBound::bound)
        .containsExactly("cost <= 0.01");
    Standing standing = Objects.requireNonNull(run.status().standing());
    assertThat(standing.bounds()).extracting(OfBound::bound).containsExactly("quality >= 0.2");
    Program inForce =
        triage("minimize cost subject to quality >= 0.2", new SampleBudget.Invocations(150));
    EpochCounts none = new EpochCounts(before.epoch(), 0, 0, 0, 0, 0, 0, null);
    assertThat(PromiseReport.of(before, none, Map.of(), inForce).standing()).isEqualTo(standing);
  }

  @Test
  void whatAUserActivatedStaysUntilSomethingIsAskedFor() {
    TestRun run = TestRun.triaging().finish();
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

  private static ControlRecord objective(String text) {
    return new ControlRecord.ObjectiveSet(TestPrograms.NAME, ObjectiveParser.parse(text));
  }

  @Test
  void aPinIsUsedWhateverItsQuality() {
    PhysicalOperator pinned = new ModelSelection("m3");
    TestRun run = TestRun.triaging();
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
    TestRun run = TestRun.triaging().finish();
    PlanStep classify =
        run.activePlan().steps().stream()
            .filter(step -> step.logical().id().equals("classify"))
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
  void aPinOfAnImplementationWithoutASampleIsSampledThoughTheBudgetIsSpent() {
    TestRun run = TestRun.triaging().finish();
    List<PhysicalOperator> sampled =
        run.issued.stream()
            .filter(task -> task.operator().id().equals("classify"))
            .map(SampleTask::physical)
            .toList();
    PhysicalOperator other =
        IntStream.range(0, 12)
            .mapToObj(i -> (PhysicalOperator) new ModelSelection("m" + i))
            .filter(physical -> !sampled.contains(physical))
            .findFirst()
            .orElseThrow();

    run.set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", other)).finish();

    assertThat(run.activePlan().choice().signature()).contains("classify=" + other.id());
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void aChangedOperatorIsSampledThoughTheBudgetIsSpent() {
    TestRun run = TestRun.triaging().finish();
    int before = run.issued.size();

    run.program(
            TestPrograms.of(
                TestRun.QUALITY,
                TestRun.SAMPLES,
                TestPrograms.filter("is-problem", "messages"),
                TestPrograms.map("classify", "is-problem", "intent"),
                TestPrograms.map("answer", "classify", "letter"),
                new Project("slim", "answer", List.of("intent", "letter"))))
        .finish();

    assertThat(run.issued.subList(before, run.issued.size()))
        .extracting(task -> task.operator().id())
        .contains("answer");
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.activePlan().steps())
        .extracting(step -> step.logical().writtenFields())
        .contains(List.of("letter"));
  }

  /** The program of {@link TestRun#triaging} and the same budget with one operator more. */
  private static Program longer() {
    return TestPrograms.of(
        TestRun.QUALITY,
        TestRun.SAMPLES,
        TestPrograms.filter("is-problem", "messages"),
        TestPrograms.map("classify", "is-problem", "intent"),
        TestPrograms.map("answer", "classify", "reply"),
        TestPrograms.map("shorten", "answer", "title"),
        new Project("slim", "shorten", List.of("intent", "reply", "title")));
  }

  @Test
  void anAddedOperatorGetsItsShareThoughTheBudgetIsSpent() {
    TestRun run = TestRun.triaging().finish();
    int before = run.issued.size();

    run.program(longer()).finish();

    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.activePlan().steps())
        .extracting(step -> step.logical().id())
        .contains("shorten");
    // A quarter of 150.
    assertThat(run.issued.subList(before, run.issued.size())).hasSizeBetween(30, 38);
  }

  @Test
  void aRestartInAnyOrderOfTasksContinuesWithTheShareOfAnAddedOperator() {
    TestRun uninterrupted = TestRun.triaging().finish().program(longer()).finish();
    TestRun run = TestRun.triaging().finish().program(longer()).answer(12);

    run.restart(
            Stream.concat(
                    run.topics.stream().filter(event -> !(event instanceof DrawnSample)),
                    run.topics.reversed().stream().filter(DrawnSample.class::isInstance))
                .toList())
        .finish();

    assertThat(TestRun.ids(run.issued)).hasSameElementsAs(TestRun.ids(uninterrupted.issued));
  }

  @Test
  void anUnchangedOperatorKeepsItsSamplesWhenTheProgramChanges() {
    TestRun run = TestRun.triaging().finish();
    int before = run.issued.size();
    Program changed =
        TestPrograms.of(
            TestRun.QUALITY,
            new SampleBudget.Invocations(300),
            TestPrograms.filter("is-problem", "messages"),
            TestPrograms.map("classify", "is-problem", "intent"),
            TestPrograms.map("answer", "classify", "letter"),
            new Project("slim", "answer", List.of("intent", "letter")));

    run.program(changed).decide();

    List<SampleTask> added = run.issued.subList(before, run.issued.size());
    assertThat(added).isNotEmpty();
    run.finish();
    assertThat(TestRun.ids(run.issued)).doesNotHaveDuplicates();
    assertThat(run.activePlan().steps())
        .extracting(PlanStep::logical)
        .containsExactlyInAnyOrderElementsOf(changed.operators());
    assertThat(run.activations).anyMatch(a -> a.reason().startsWith("program changed"));
    // The old plan was in force until there was a new one: no activation in between.
    assertThat(run.activations.stream().map(ControlRecord.Activated::epoch)).isSorted();
  }

  @Test
  void pausingStopsSamplesAndResumingGoesOn() {
    TestRun run = TestRun.triaging().answer(10);
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
    TestRun run = TestRun.triaging().answer(30);
    run.tell(new LoopEvent.ControlRemoved(new ControlKey.ProgramKey(TestPrograms.NAME)));

    assertThat(run.decide()).isEmpty();
    assertThat(run.loop().status()).isNull();
  }

  @Test
  void recordsThatMakeNoSenseAreRefusedWithAReason() {
    TestRun run = TestRun.triaging();
    OptimizerLoop loop = run.loop();

    assertThat(
            loop.apply(
                set(new ControlRecord.Activated(TestPrograms.NAME, 77, 1, "rollback", "ada"))))
        .contains("no plan of epoch 77");
    assertThat(
            loop.apply(
                set(new ControlRecord.Pinned(TestPrograms.NAME, "slim", new ModelSelection("m1")))))
        .contains("no semantic operator 'slim'");
    assertThat(
            loop.apply(
                set(new ControlRecord.Pinned(TestPrograms.NAME, "classify", new Relational()))))
        .contains("cannot be pinned");
    run.finish();
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  private static LoopEvent set(ControlRecord record) {
    return new LoopEvent.ControlSet(record);
  }

  @Test
  void aChangedLabelMakesSamplesOnItWorthless() {
    TestRun run = TestRun.triaging().finish();
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
}
