package dev.abacus.deploy.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.ControlSnapshot;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.FewShot;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ControlStateTest {

  private static ControlState state(boolean fewShot, ControlRecord... more) throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators: [{ filter: good, condition: It is good. }]
                results: { topic: out }
                validation: { fewShot: %s }
                """
                    .formatted(fewShot));
    Map<ControlKey, ControlRecord> records = new LinkedHashMap<>();
    Stream.concat(
            Stream.of(
                new ControlRecord.ProgramSet(program),
                plan(program, 1, new FewShot("gpt-4o", 2, List.of())),
                plan(program, 2, new ModelSelection("gpt-4o"))),
            Stream.of(more))
        .forEach(record -> records.put(record.key(), record));
    return new ControlState(new ControlSnapshot(records, List.of(), Map.of()));
  }

  private static ControlRecord plan(Program program, long epoch, PhysicalOperator physical) {
    PlanChoice choice =
        new PlanChoice(
            List.of(new PlanStep(program.operators().getFirst(), physical)), new Estimate(1, 0, 0));
    return new ControlRecord.PlanPublished(
        new PhysicalPlan("p", epoch, choice, program.objective(), List.of()));
  }

  @Test
  void aPlanWithExamplesIsActivatedOnlyIfTheProgramAllowsThem() throws Exception {
    assertThat(state(true).requireActivatable("p", 1).epoch()).isEqualTo(1);
    assertThat(state(false).requireActivatable("p", 2).epoch()).isEqualTo(2);

    assertThatThrownBy(() -> state(false).requireActivatable("p", 1))
        .isInstanceOf(OperationFailedException.class)
        .hasMessageContaining("epoch 1 cannot be activated")
        .hasMessageContaining("labelled examples")
        .hasMessageContaining("validation.fewShot");
  }

  @Test
  void aPlanThatDoesNotExistIsNotActivated() throws Exception {
    assertThatThrownBy(() -> state(true).requireActivatable("p", 3))
        .hasMessageContaining("p has no plan of epoch 3");
  }

  @Test
  void aPinThatAPlanDoesNotFollowIsTold() throws Exception {
    ControlState state =
        state(true, new ControlRecord.Pinned("p", "good", new ModelSelection("gpt-4o")));

    assertThat(state.unfollowedPins(state.requirePlan("p", 2L))).isEmpty();
    assertThat(state.unfollowedPins(state.requirePlan("p", 1L)))
        .singleElement()
        .asString()
        .startsWith("note: good is pinned to model-selection(gpt-4o), epoch 1 has few-shot(");
  }
}
