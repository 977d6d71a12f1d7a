package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.loop.state.Fusions;
import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.StepEstimate;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** How operators that rules make get into plans: measured, or not at all. */
class RewritesInTheLoopTest {

  private static final Program MAPS =
      TestPrograms.of(
          "minimize cost subject to quality >= 0.5",
          new SampleBudget.Invocations(100),
          TestPrograms.map("a", "messages", "one"),
          TestPrograms.map("b", "a", "two"));

  /** Every part is good and costs 0.01; in one call both cost 0.012, and are as good as is said. */
  private static Function<SampleTask, Observation> together(double quality) {
    return task ->
        task.operator().id().equals("a+b")
            ? TestWorld.observation(task, Outcome.KEPT, quality, 0.012, 1)
            : TestWorld.observation(task, Outcome.KEPT, 0.9, 0.01, 1);
  }

  private static List<String> steps(TestRun run) {
    return run.activePlan().steps().stream().map(step -> step.logical().id()).toList();
  }

  private static long trials(TestRun run) {
    return run.issued.stream().filter(task -> task.operator().id().equals("a+b")).count();
  }

  @Test
  void neighboursThatDoWellInOneCallGetOneCall() {
    TestRun run = new TestRun(together(0.8), 1).program(MAPS).examples(30).finish();

    assertThat(steps(run)).containsExactly("a+b");
    assertThat(trials(run)).isEqualTo(Fusions.TRIALS);
    assertThat(run.activePlan().estimate().cost())
        .isCloseTo(0.012, org.assertj.core.data.Offset.offset(1e-9));
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
    assertThat(run.issued).hasSizeLessThanOrEqualTo(100);
  }

  @Test
  void neighboursThatDoBadlyInOneCallStayApartAndWereTriedOnly() {
    TestRun run = new TestRun(together(0.2), 1).program(MAPS).examples(30).finish();

    assertThat(steps(run)).containsExactly("a", "b");
    assertThat(trials(run)).isBetween(1L, 15L);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  private static final SemanticFilter BOTH =
      new SemanticFilter("f", "messages", List.of("It is one.", "It is two."), List.of("text"));

  /**
   * The first condition is cheap with x, the second with y; the second holds of every third
   * example.
   */
  private static Observation conditions(SampleTask task) {
    boolean x = task.physical().id().contains("(x)");
    Evidence.Condition one = new Evidence.Condition(true, x ? 0.001 : 0.01, 0.5);
    boolean holds = Math.floorMod(task.exampleId().hashCode(), 3) == 0;
    Evidence.Condition two = new Evidence.Condition(holds, x ? 0.01 : 0.001, 0.5);
    return new Observation(
        task.id(),
        task.program(),
        "f",
        task.physical().id(),
        task.exampleId(),
        holds ? Outcome.KEPT : Outcome.DROPPED,
        holds ? List.of(task.input()) : List.of(),
        0.81,
        ScoredBy.LABEL,
        0.011,
        1,
        0,
        new Evidence.Conditions(List.of(one, two)),
        null);
  }

  @Test
  void theConditionsOfAFilterGetTheModelAndTheOrderThatSuitThem() {
    List<PhysicalOperator> arms =
        List.of(new ConditionByCondition("x"), new ConditionByCondition("y"));
    OptimizerLoop loop =
        new OptimizerLoop(
            TestPrograms.NAME,
            LoopSettings.paper(
                11,
                6,
                4,
                SearchOptions.DEFAULT,
                _ -> Map.of("f", arms),
                ModelCatalogue.of(List.of())));
    loop.apply(
        new LoopEvent.ControlSet(
            new ControlRecord.ProgramSet(
                TestPrograms.of("minimize cost", new SampleBudget.Invocations(40), BOTH))));
    for (int i = 0; i < 20; i++) {
      loop.apply(new LoopEvent.ExampleSet(TestPrograms.example(i)));
    }
    List<PlanStep> steps = new ArrayList<>();
    Deque<LoopAction> actions = new ArrayDeque<>(loop.decide());
    while (!actions.isEmpty()) {
      switch (actions.remove()) {
        case LoopAction.IssueSample(SampleTask task, SampleStamp _) ->
            loop.apply(new LoopEvent.Observed(conditions(task)));
        case LoopAction.Publish(ControlRecord.PlanPublished published) -> {
          steps.clear();
          steps.addAll(published.plan().steps());
        }
        case LoopAction _ -> {
          // Activations follow plans.
        }
      }
      if (actions.isEmpty()) {
        actions.addAll(loop.decide());
      }
    }
    // The second condition drops most, at the same price: it goes first.
    assertThat(steps)
        .extracting(step -> step.logical().id() + "=" + step.physical().id())
        .containsExactly("f.2=condition-by-condition(y)", "f.1=condition-by-condition(x)");
  }

  private static final SemanticFilter OF_THE_SUMMARY =
      new SemanticFilter("f", "summarize", List.of("It is one.", "It is two."), List.of("summary"));

  private static boolean holds(SampleTask task) {
    return Math.floorMod(task.exampleId().hashCode(), 3) == 0;
  }

  /** The filter as above, its parts the same by themselves; prices scatter a little. */
  private static Observation apart(SampleTask task) {
    double noise = 1 + 0.2 * TestWorld.unit(5, task.exampleId());
    boolean x = task.physical().id().contains("(x)");
    return switch (task.operator().id()) {
      case "f" -> {
        Evidence.Condition one =
            new Evidence.Condition(true, (x ? 0.001 : 0.01) * noise, 0.5 * noise);
        Evidence.Condition two =
            new Evidence.Condition(holds(task), (x ? 0.01 : 0.001) * noise, 0.5 * noise);
        yield new Observation(
            task.id(),
            task.program(),
            "f",
            task.physical().id(),
            task.exampleId(),
            holds(task) ? Outcome.KEPT : Outcome.DROPPED,
            holds(task) ? List.of(task.input()) : List.of(),
            0.8 + 0.1 * TestWorld.unit(6, task.id()),
            ScoredBy.LABEL,
            0.011 * noise,
            noise,
            0,
            new Evidence.Conditions(List.of(one, two)),
            null);
      }
      case "f.1" -> part(task, true, (x ? 0.001 : 0.01) * noise);
      case "f.2" -> part(task, holds(task), (x ? 0.01 : 0.001) * noise);
      default -> TestWorld.observation(task, Outcome.KEPT, 0.9, 0.002 * noise, 1);
    };
  }

  private static Observation part(SampleTask task, boolean holds, double cost) {
    return TestWorld.observation(task, holds ? Outcome.KEPT : Outcome.DROPPED, 1, cost, 0.5);
  }

  private static TestRun apartRun() {
    List<PhysicalOperator> models =
        List.of(new PhysicalOperator.ModelSelection("x"), new PhysicalOperator.ModelSelection("y"));
    List<PhysicalOperator> arms =
        List.of(new ConditionByCondition("x"), new ConditionByCondition("y"));
    TestRun run =
        new TestRun(
            RewritesInTheLoopTest::apart,
            4,
            LoopSettings.paper(
                11,
                6,
                4,
                SearchOptions.DEFAULT,
                _ -> Map.of("summarize", models, "f", arms),
                ModelCatalogue.of(List.of())));
    run.program(
        TestPrograms.of(
            "minimize cost subject to quality >= 0.5",
            new SampleBudget.Invocations(160),
            TestPrograms.map("summarize", "messages", "summary"),
            OF_THE_SUMMARY));
    for (int i = 0; i < 20; i++) {
      ValidationExample example = TestPrograms.example(i);
      run.tell(
          new LoopEvent.ExampleSet(
              new ValidationExample(
                  example.id(),
                  example.source(),
                  example.document(),
                  Map.of(
                      "f", BooleanNode.valueOf(Math.floorMod(example.id().hashCode(), 3) == 0)))));
    }
    return run.finish();
  }

  @Test
  void aFilterThatWasTakenApartIsRunEndToEndAndScoredAsOne() {
    TestRun run = apartRun();

    assertThat(steps(run)).containsExactly("summarize", "f.2", "f.1");
    List<SampleTask> parts =
        run.issued.stream().filter(task -> task.operator().id().startsWith("f.")).toList();
    assertThat(parts).extracting(task -> task.operator().id()).contains("f.1", "f.2");
    assertThat(parts)
        .as("a condition holds where all of them do; where not, nobody knows which")
        .allMatch(
            task -> holds(task) ? BooleanNode.TRUE.equals(task.label()) : task.label() == null);
    assertThat(run.activePlan().estimate().quality())
        .as("the parts decide as the label says, which is better than 0.9 x 0.85")
        .isGreaterThan(0.8);
    assertThat(run.status().phase()).isEqualTo(LoopStatus.Phase.FINISHED);
  }

  @Test
  void derivedOperatorsHaveIntervalsToo() {
    var basis = apartRun().activePlan().basis();
    for (String part : List.of("f.1", "f.2")) {
      StepEstimate sure = basis.getOrDefault(part, Map.of()).values().iterator().next();
      assertThat(sure.samples()).isGreaterThanOrEqualTo(3);
      assertThat(sure.cost().low()).isLessThan(sure.cost().mean());
      assertThat(sure.cost().high()).isGreaterThan(sure.cost().mean());
    }
    TestRun fused =
        new TestRun(
                task ->
                    task.operator().id().equals("a+b")
                        ? TestWorld.observation(
                            task,
                            Outcome.KEPT,
                            0.7 + 0.2 * TestWorld.unit(1, task.id()),
                            0.012 * (1 + 0.1 * TestWorld.unit(2, task.id())),
                            1)
                        : TestWorld.observation(task, Outcome.KEPT, 0.9, 0.01, 1),
                1)
            .program(MAPS)
            .examples(30)
            .finish();
    StepEstimate both =
        fused.activePlan().basis().getOrDefault("a+b", Map.of()).values().iterator().next();
    assertThat(both.samples()).isEqualTo(Fusions.TRIALS);
    assertThat(both.quality().low()).isLessThan(both.quality().mean());
    assertThat(both.cost().high()).isGreaterThan(both.cost().mean());
  }
}
