package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.event.DrawnSample;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.OperatorSamples;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.optimizer.sampling.Pull;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanPromise;
import dev.abacus.schemas.plan.Standing;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.ToDoubleBiFunction;
import org.junit.jupiter.api.Test;

/** One map, whose plans are measured on examples that the search does not use. */
class PlanRaceTest {

  private static final int BUDGET = 60;

  private final List<LoopEvent> events = new ArrayList<>();
  private final Map<String, Observation> wholePlan = new HashMap<>();
  private final Set<String> searched = new HashSet<>();
  private int budget = BUDGET;
  private int samples;

  private static LoopSettings settings() {
    return TestRun.measuring(3, 8);
  }

  private Program program(String objective) {
    return TestPrograms.of(
        objective,
        new SampleBudget.Invocations(budget),
        TestPrograms.map("classify", "messages", "intent"));
  }

  /** The model m7 is the best; scores scatter by the example. */
  private static double quality(String model, String example) {
    double scatter = SeededHash.unit(7, model + example) - 0.5;
    return 0.2 + 0.08 * Integer.parseInt(model.substring(1)) + 0.3 * scatter;
  }

  /** Runs a search; returns the active plan. */
  private PhysicalPlan search(
      String objective, int examples, ToDoubleBiFunction<String, String> score) {
    return search(settings(), objective, examples, score);
  }

  private PhysicalPlan search(
      LoopSettings settings,
      String objective,
      int examples,
      ToDoubleBiFunction<String, String> score) {
    OptimizerLoop loop = new OptimizerLoop(TestPrograms.NAME, settings);
    tell(loop, new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program(objective))));
    for (int i = 0; i < examples; i++) {
      tell(loop, new LoopEvent.ExampleSet(TestPrograms.example(i)));
    }
    List<LoopEvent.Caused> actions = loop.decide();
    while (!actions.isEmpty()) {
      for (LoopEvent.Caused action : actions) {
        events.add(action);
        if (action instanceof DrawnSample(SampleTask task, var stamp, var _)) {
          samples++;
          Observation observation = observe(task, score);
          if (stamp.alongPlan()) {
            wholePlan.put(task.id(), observation);
          } else {
            searched.add(task.exampleId());
          }
          tell(loop, new LoopEvent.Observed(observation));
        }
      }
      actions = loop.decide();
    }
    return active(loop);
  }

  private static PhysicalPlan active(OptimizerLoop loop) {
    ProgramDeployment deployment = Objects.requireNonNull(loop.deployment());
    return Objects.requireNonNull(
        deployment.plans().get(Objects.requireNonNull(deployment.active()).epoch()));
  }

  private void tell(OptimizerLoop loop, LoopEvent event) {
    events.add(event);
    assertThat(loop.apply(event)).isNull();
  }

  private static Observation observe(SampleTask task, ToDoubleBiFunction<String, String> score) {
    String model = task.physical().chatModels().getFirst();
    return Observation.of(task)
        .outcome(Observation.Outcome.KEPT)
        .outputs(List.of(task.input()))
        .quality(score.applyAsDouble(model, task.exampleId()))
        .scoredBy(Observation.ScoredBy.LABEL)
        .cost(0.01 * (1 + Integer.parseInt(model.substring(1))))
        .latency(1)
        .build();
  }

  @Test
  void thePromiseIsTheMeanOnExamplesThatTheSearchDidNotUse() {
    PhysicalPlan plan = search("maximize quality", 100, PlanRaceTest::quality);

    PlanPromise promise = Objects.requireNonNull(plan.promise());
    String winner = plan.steps().getFirst().physical().id();
    Set<String> measuredOn = new HashSet<>();
    Map<String, Integer> runs = new HashMap<>();
    wholePlan
        .values()
        .forEach(seen -> {
          measuredOn.add(seen.exampleId());
          runs.merge(seen.physical(), 1, Integer::sum);
        });
    assertThat(measuredOn).isNotEmpty().doesNotContainAnyElementsOf(searched);
    assertThat(promise.examples()).isBetween(2, Objects.requireNonNull(runs.get(winner)));
    assertThat(plan.estimate().quality()).isEqualTo(promise.quality().mean());
    double truth = 0.2 + 0.08 * Integer.parseInt(winner.replaceAll("\\D", ""));
    assertThat(promise.quality().low()).isLessThan(truth);
    assertThat(promise.quality().high()).isGreaterThan(truth);
  }

  @Test
  void measuringIsPaidFromTheSameBudget() {
    search("maximize quality", 100, PlanRaceTest::quality);

    assertThat(samples).isLessThanOrEqualTo(BUDGET);
    assertThat(wholePlan).hasSizeBetween(8, 12);
  }

  @Test
  void allFinalistsAreComparedOnTheSameExamples() {
    search("maximize quality", 100, PlanRaceTest::quality);

    Map<String, Set<String>> byPlan = new HashMap<>();
    wholePlan
        .values()
        .forEach(seen ->
            byPlan.computeIfAbsent(seen.physical(), _ -> new HashSet<>()).add(seen.exampleId()));
    Set<String> most =
        byPlan.values().stream().max(java.util.Comparator.comparingInt(Set::size)).orElseThrow();
    assertThat(byPlan).hasSizeGreaterThan(1);
    assertThat(byPlan.values()).allSatisfy(examples -> assertThat(most).containsAll(examples));
  }

  @Test
  void withVeryFewExamplesNoneIsHeldBackAndNothingIsPromised() {
    PhysicalPlan plan = search("maximize quality", 7, PlanRaceTest::quality);

    assertThat(plan.promise()).isNull();
    assertThat(wholePlan).isEmpty();
    assertThat(searched).hasSizeGreaterThan(3);
  }

  @Test
  void aBoundThatCannotBeShownToHoldIsStatedWithTheSamplesThatWouldSettleIt() {
    // The best model is above the bound by 0.01.
    PhysicalPlan plan =
        search("minimize cost subject to quality >= 0.75", 100, PlanRaceTest::quality);

    PlanPromise promise = Objects.requireNonNull(plan.promise());
    assertThat(plan.standing().verdict()).isEqualTo(Standing.Verdict.NOT_SETTLED);
    assertThat(plan.feasible()).isFalse();
    assertThat(promise.bounds().values()).allMatch(probability -> probability < 0.9);
    Integer samples = promise.samplesToSettle();
    Integer examples = promise.examplesToSettle();
    assertThat(samples).isNotNull();
    assertThat(examples).as("all held-back examples are used: " + promise).isNotNull();
  }

  @Test
  void whoFollowsTheAdviceGetsTheSamplesOfThePlanThatAreMissing() {
    // A margin of one standard deviation holds with 84 %, and few examples are held back.
    Map<String, Belief> beliefs =
        Map.of("m7", Belief.alone(new OperatorEstimate(0.76, 0.08, 1, 1), 40, 0.03, 0.1, 0.1));
    LoopSettings settings = TestRun.measuring(3, 8, _ -> new Believing(beliefs));
    String objective = "minimize cost subject to quality >= 0.73";
    PlanPromise before =
        Objects.requireNonNull(search(settings, objective, 25, PlanRaceTest::quality).promise());
    int missing = Objects.requireNonNull(before.samplesToSettle());
    assertThat(before.examplesToSettle()).as("%s", before).isNotNull();

    budget = (int) Math.ceil(budget * Objects.requireNonNullElse(before.budgetToSettle(), 1.0));
    int examples = 25 + Objects.requireNonNullElse(before.examplesToSettle(), 0);
    PlanPromise after =
        Objects.requireNonNull(
            search(settings, objective, examples, PlanRaceTest::quality).promise());

    // Some of the runs compare plans.
    assertThat(after.examples())
        .as("%s, then %s", before, after)
        .isGreaterThan(before.examples() + missing / 2);
  }

  @Test
  void ifNoPlanMeetsABoundTheLikeliestIsChosen() {
    PhysicalPlan plan =
        search("minimize cost subject to quality >= 0.9", 100, PlanRaceTest::quality);

    assertThat(plan.feasible()).isFalse();
    assertThat(plan.steps().getFirst().physical().chatModels().getFirst()).isIn("m6", "m7");
  }

  @Test
  void aBoundThatHoldsWithAMarginIsPromised() {
    PhysicalPlan plan =
        search("minimize cost subject to quality >= 0.4", 100, PlanRaceTest::quality);

    PlanPromise promise = Objects.requireNonNull(plan.promise());
    assertThat(plan.standing().verdict()).isEqualTo(Standing.Verdict.HOLDS);
    assertThat(plan.feasible()).isTrue();
    assertThat(promise.level()).isEqualTo(0.9);
  }

  @Test
  void aPlanIsNotHiddenByOneThatOnlySeemsBetterAndCheaper() {
    // m1 seems better and cheaper than m2, but only m2 and the expensive m7 are known to keep it.
    Map<String, Belief> beliefs =
        Map.of(
            "m1", Belief.alone(new OperatorEstimate(0.76, 0.02, 1, 1), 2, 0.2, 0.1, 0.1),
            "m2", Belief.alone(new OperatorEstimate(0.74, 0.03, 1, 1), 40, 0.01, 0.1, 0.1),
            "m7", Belief.alone(new OperatorEstimate(0.95, 0.08, 1, 1), 40, 0.01, 0.1, 0.1));

    PhysicalPlan plan =
        search(
            TestRun.measuring(3, 8, _ -> new Believing(beliefs)),
            "minimize cost subject to quality >= 0.7",
            10,
            PlanRaceTest::quality);

    assertThat(plan.steps().getFirst().physical().chatModels()).containsExactly("m2");
  }

  /** Draws one sample of each implementation and believes what it is told. */
  private record Believing(Map<String, Belief> told) implements SamplingPolicy {

    @Override
    public Proposal propose(SamplingState state) {
      OperatorSamples operator = state.operators().getFirst();
      String example = operator.examples().getFirst();
      return new Proposal(
          operator.arms().stream()
              .filter(arm -> operator.sample(arm, example) == null)
              .map(arm -> new Pull(operator.operator(), arm, example))
              .toList(),
          Map.of());
    }

    @Override
    public Map<String, Map<Arm, Belief>> beliefs(SamplingState state) {
      OperatorSamples operator = state.operators().getFirst();
      Map<Arm, Belief> beliefs = new HashMap<>();
      operator
          .arms()
          .forEach(arm ->
              told.forEach((model, belief) -> {
                if (arm.id().contains(model)) {
                  beliefs.put(arm, belief);
                }
              }));
      return Map.of(operator.operator(), beliefs);
    }

    @Override
    public int fullSamples(int configured) {
      return 1;
    }

    @Override
    public boolean hasDeviations() {
      return true;
    }
  }

  @Test
  void aRestartContinuesWithTheRunsThatAreMissing() {
    PhysicalPlan whole = search("maximize quality", 100, PlanRaceTest::quality);

    for (int end = 0; end <= events.size(); end += 7) {
      OptimizerLoop restarted = new OptimizerLoop(TestPrograms.NAME, settings());
      events.subList(0, end).forEach(restarted::apply);
      Set<String> issued = new HashSet<>();
      events.subList(0, end).stream()
          .filter(DrawnSample.class::isInstance)
          .forEach(event -> issued.add(((DrawnSample) event).task().id()));
      events.subList(end, events.size()).stream()
          .filter(LoopEvent.ExampleSet.class::isInstance)
          .forEach(restarted::apply);
      List<LoopEvent.Caused> actions = restarted.decide();
      for (LoopEvent.Caused action : actions) {
        if (action instanceof DrawnSample(SampleTask task, var _, var _)) {
          assertThat(issued).doesNotContain(task.id());
        }
      }
      if (end > events.size() - 7) {
        events.subList(end, events.size()).forEach(restarted::apply);
        restarted.decide();
        assertThat(active(restarted)).isEqualTo(whole);
      }
    }
  }
}
