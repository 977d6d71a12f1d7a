package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.wholeplan.PlanRace;
import dev.abacus.optimizer.loop.wholeplan.PlanReplay;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A filter that is nearly always right and a map behind it. Thirteen of sixteen runs end at the
 * filter; the answers to the other three are right.
 */
class DroppedRunsTest {

  private static final int RUNS = 16;
  private static final int KEPT = 3;
  private static final double FILTER_QUALITY = 0.99;

  private final Program program =
      TestPrograms.of(
          "maximize quality",
          null,
          TestPrograms.filter("is-problem", "messages"),
          TestPrograms.map("classify", "is-problem", "intent"));
  private final StateFixture fixture = new StateFixture(program, 1);

  private PlanStep step(String operator) {
    return new PlanStep(operator(operator), new ModelSelection("m0"));
  }

  private LogicalOperator operator(String id) {
    return Objects.requireNonNull(program.operator(id));
  }

  private static Belief belief(double quality, int samples) {
    return Belief.alone(new OperatorEstimate(quality, 0.01, 1, 1), samples, 0.04, 0.1, 0.1);
  }

  private void observe(String operator, int example, boolean kept, double score) {
    SampleTask task = fixture.issue(fixture.task(operator, example), 1, "round");
    fixture
        .state()
        .apply(
            new LoopEvent.Observed(
                Observation.of(task)
                    .outcome(kept ? Observation.Outcome.KEPT : Observation.Outcome.DROPPED)
                    .outputs(kept ? List.of(task.input()) : List.of())
                    .quality(score)
                    .scoredBy(Observation.ScoredBy.LABEL)
                    .cost(0.01)
                    .latency(1)
                    .build()));
  }

  @Test
  void saysNothingOfTheMap() {
    for (int example = 0; example < RUNS; example++) {
      observe("is-problem", example, example < KEPT, FILTER_QUALITY);
      if (example < KEPT) {
        observe("classify", example, true, 1);
      }
    }
    // As the model of quality believes after three right answers of one implementation among many.
    Belief map = belief(0.87, KEPT);
    Belief filter = belief(FILTER_QUALITY, RUNS);
    Arm arm = Arm.named(new ModelSelection("m0").id());
    double estimate = 0.87 * FILTER_QUALITY;
    PlanRace race =
        new PlanRace(
            new PlanReplay(
                fixture.view(),
                Set.of("is-problem", "classify"),
                fixture
                    .view()
                    .beliefs(
                        Map.of("is-problem", Map.of(arm, filter), "classify", Map.of(arm, map)))),
            new PlanRace.Conditions(
                IntStream.range(0, RUNS).mapToObj(TestPrograms::example).toList(),
                RUNS,
                RUNS,
                RUNS,
                0.3,
                0.9));

    PlanChoice plan =
        new PlanChoice(
            List.of(step("is-problem"), step("classify")), new Estimate(estimate, 0.02, 2));
    Range promised =
        Objects.requireNonNull(race.outcome(UncertainPlan.of(plan, List.of(filter, map))).promise())
            .quality();

    assertThat(promised.mean()).isCloseTo(estimate, within(0.03));
    assertThat(promised.low()).isLessThan(0.8);
  }
}
