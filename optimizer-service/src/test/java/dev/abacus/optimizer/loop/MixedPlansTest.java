package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import dev.abacus.schemas.program.Settings.Governance;
import java.util.Objects;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** A cap on the mean cost between a cheap model and a dear one. */
class MixedPlansTest {

  private static final String CAPPED = "maximize quality subject to cost <= 0.006";
  private static final double CAP = 0.006;

  private static Observation answer(SampleTask task) {
    boolean dear = task.physical().id().contains("m0");
    double score =
        (dear ? 0.9 : 0.5)
            + 0.1 * (TestWorld.unit(3, task.exampleId() + task.physical().id()) - 0.5);
    return TestWorld.observation(task, Outcome.KEPT, score, dear ? 0.010 : 0.001, 1);
  }

  private static TestRun run(boolean mixture) {
    return run(mixture, CAPPED, MixedPlansTest::answer);
  }

  private static TestRun run(
      boolean mixture, String objective, Function<SampleTask, Observation> answers) {
    Program program =
        TestPrograms.of(
            objective,
            new SampleBudget.Invocations(60),
            TestPrograms.map("classify", "messages", "intent"));
    return new TestRun(answers, 1, TestRun.measuring(3, 2))
        .program(
            program.withSettings(
                program.settings().withGovernance(new Governance(null, null, null, mixture))))
        .labelled(40, "classify", _ -> JsonNodeFactory.instance.objectNode().put("intent", "other"))
        .finish();
  }

  @Test
  void theCapIsUsedUpByAMixtureWhosePromiseHolds() {
    TestRun run = run(true);
    PhysicalPlan plan = run.activePlan();
    Mixture mixture = Objects.requireNonNull(plan.choice().mixture(), run.reason());

    double share = mixture.share();
    assertThat(share).isBetween(0.4, 0.55);
    double cost = 0.001 + share * 0.009;
    assertThat(cost).isLessThanOrEqualTo(CAP);
    assertThat(plan.standing().holds()).as(plan.standing().sentence()).isTrue();
    assertThat(Objects.requireNonNull(plan.promise()).cost().mean())
        .isEqualTo(cost, within(0.0005));
    assertThat(plan.promise().quality().mean()).isEqualTo(0.5 + 0.4 * share, within(0.03));
    assertThat(plan.promise().examples()).isGreaterThan(1);
    assertThat(run.reason()).contains("a mixture of two plans", "of the keys get quality 0.");
  }

  @Test
  void thePlanIsReadFromTheControlTopicAsItWasWritten() throws Exception {
    PhysicalPlan plan = run(true).activePlan();
    assertThat(Json.read(Json.write(plan), PhysicalPlan.class)).isEqualTo(plan);
  }

  @Test
  void aRestartKeepsTheMixture() {
    TestRun run = run(true);
    long epoch = run.activePlan().epoch();
    run.restart().finish();
    assertThat(run.activePlan().epoch()).isEqualTo(epoch);
  }

  /** The dear model is affordable, but too little better to be worth its price. */
  @Test
  void aPlanThatTheToleranceHasPassedOverIsNotMixedIn() {
    TestRun run =
        run(
            true,
            "maximize quality subject to cost <= 0.05",
            task -> {
              boolean dear = task.physical().id().contains("m1");
              double quality = 0.5 + 0.01 * (TestWorld.unit(3, task.exampleId()) - 0.5);
              return TestWorld.observation(
                  task, Outcome.KEPT, quality + (dear ? 0.007 : 0), dear ? 0.010 : 0.001, 1);
            });

    assertThat(run.activePlan().choice().mixture()).as(run.reason()).isNull();
    assertThat(run.reason()).as("it is compared with the cheap model").contains("cost $0.001000");
  }

  @Test
  void withoutTheSettingAllDocumentsGetOnePlan() {
    PhysicalPlan plan = run(false).activePlan();
    assertThat(plan.choice().mixture()).isNull();
    assertThat(plan.steps().getFirst().physical().id()).contains("m1");
  }
}
