package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.event.LoopEvent;
import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class DesiredStateTest {

  private static final String NAME = TestPrograms.NAME;
  private static final Objective CHEAP = ObjectiveParser.parse("minimize cost");

  private final StateFixture fixture = new StateFixture(new SampleBudget.Invocations(20));
  private final DesiredState desired = fixture.state().desired();

  private PhysicalPlan plan(long epoch, String model) {
    List<PlanStep> steps =
        fixture.program().semanticOperators().stream()
            .map(operator -> new PlanStep(operator, new ModelSelection(model)))
            .toList();
    return new PhysicalPlan(
        NAME,
        epoch,
        new PlanChoice(steps, new Estimate(0.5, 0.1, 1)),
        fixture.program().objective(),
        List.of());
  }

  private String publish(long epoch, String model) {
    return String.valueOf(
        fixture
            .state()
            .apply(new LoopEvent.ControlSet(new ControlRecord.PlanPublished(plan(epoch, model)))));
  }

  private String activate(long epoch, String by) {
    return String.valueOf(
        fixture
            .state()
            .apply(
                new LoopEvent.ControlSet(
                    new ControlRecord.Activated(NAME, epoch, 1, "reason", by))));
  }

  @Test
  void theObjectiveAndBudgetInForceReplaceThoseOfTheProgramUntilTheyAreRemoved() {
    fixture.state().apply(new LoopEvent.ControlSet(new ControlRecord.ObjectiveSet(NAME, CHEAP)));
    fixture
        .state()
        .apply(
            new LoopEvent.ControlSet(
                new ControlRecord.BudgetSet(NAME, new SampleBudget.Invocations(7), null)));
    assertThat(Objects.requireNonNull(desired.program()).objective()).isEqualTo(CHEAP);
    assertThat(Objects.requireNonNull(desired.program()).sampleBudget())
        .isEqualTo(new SampleBudget.Invocations(7));

    fixture.state().apply(new LoopEvent.ControlRemoved(new ControlKey.ObjectiveKey(NAME)));
    fixture.state().apply(new LoopEvent.ControlRemoved(new ControlKey.BudgetKey(NAME)));
    assertThat(desired.program()).isEqualTo(fixture.program());
  }

  @Test
  void aPlanIsImmutable() {
    assertThat(publish(1, "m0")).isEqualTo("null");
    assertThat(publish(1, "m0")).as("repeated").isEqualTo("null");
    assertThat(publish(1, "m1")).contains("epoch 1 has one already");
    assertThat(desired.plans().get(1L)).isEqualTo(plan(1, "m0"));
  }

  @Test
  void anUnknownEpochIsNotActivated() {
    publish(1, "m0");

    assertThat(activate(2, "anna")).contains("no plan of epoch 2");
    assertThat(desired.active()).isNull();
  }

  @Test
  void aPlanThatAUserActivatedIsHeldUntilTheUserAsksForOptimization() {
    publish(1, "m0");
    activate(1, "anna");
    assertThat(desired.held()).isTrue();

    fixture.state().apply(new LoopEvent.ControlSet(new ControlRecord.Reoptimize(NAME, "again")));

    assertThat(desired.held()).isFalse();
    assertThat(desired.token()).isEqualTo("again");
  }

  @Test
  void thePlanThatTheGovernorReplacedStaysTheChosenOne() {
    publish(1, "m0");
    publish(2, "m1");
    activate(1, ControlRecord.OPTIMIZER);

    fixture
        .state()
        .apply(
            new LoopEvent.ControlSet(
                new ControlRecord.Activated(NAME, 2, 1, "calls fail", ControlRecord.GOVERNOR, 1L)));

    assertThat(desired.activePlan()).isEqualTo(plan(2, "m1"));
    assertThat(desired.chosenPlan()).isEqualTo(plan(1, "m0"));
    assertThat(desired.held()).isFalse();
  }

  @Test
  void aPinNeedsASemanticOperatorAndAModel() {
    PhysicalOperator model = new ModelSelection("m1");
    assertThat(
            fixture
                .state()
                .apply(new LoopEvent.ControlSet(new ControlRecord.Pinned(NAME, "slim", model))))
        .contains("no semantic operator 'slim'");
    assertThat(
            fixture
                .state()
                .apply(new LoopEvent.ControlSet(new ControlRecord.Pinned(NAME, "classify", model))))
        .isNull();
    assertThat(desired.pins()).containsExactly(java.util.Map.entry("classify", model));

    fixture.state().apply(new LoopEvent.ControlRemoved(new ControlKey.PinKey(NAME, "classify")));
    assertThat(desired.pins()).isEmpty();
  }

  @Test
  void aPinThatIsReadBeforeItsProgramIsCheckedWhenTheProgramArrives() {
    Program program = Objects.requireNonNull(desired.program());
    PhysicalOperator model = new ModelSelection("m1");
    fixture.state().apply(new LoopEvent.ControlRemoved(new ControlKey.ProgramKey(NAME)));
    fixture.state().apply(new LoopEvent.ControlSet(new ControlRecord.Pinned(NAME, "slim", model)));
    fixture
        .state()
        .apply(new LoopEvent.ControlSet(new ControlRecord.Pinned(NAME, "classify", model)));

    fixture.state().apply(new LoopEvent.ControlSet(new ControlRecord.ProgramSet(program)));

    assertThat(desired.pins()).containsExactly(java.util.Map.entry("classify", model));
  }

  @Test
  void epochsAreNeverReusedAfterAPlanIsRemoved() {
    publish(4, "m0");
    activate(4, "anna");
    fixture.state().apply(new LoopEvent.ControlRemoved(new ControlKey.PlanKey(NAME, 4)));

    assertThat(desired.nextEpoch()).isEqualTo(5);
  }
}
