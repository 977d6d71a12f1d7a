package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PlanCheckTest {

  private static final PhysicalOperator MODEL = new ModelSelection("gpt-4o");

  private Program program;

  @BeforeEach
  void parse() throws Exception {
    program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { docs: { topic: docs } }
                operators:
                  - map: fill
                    instruction: Fill in.
                    reads: [text]
                    writes: { a: string }
                  - filter: good
                    condition: It is good.
                    reads: [text]
                  - filter: filled
                    condition: It is filled.
                    reads: [a]
                  - project: [a]
                results: { topic: out }
                """);
  }

  private PlanStep step(String operator, PhysicalOperator technique) {
    return new PlanStep(Objects.requireNonNull(program.operator(operator)), technique);
  }

  private @Nullable String mistake(PlanStep... steps) {
    PhysicalPlan plan =
        new PhysicalPlan(
            "p",
            1,
            new PlanChoice(Arrays.asList(steps), new Estimate(1, 0, 0)),
            Objective.MAXIMIZE_QUALITY,
            List.of());
    return PlanCheck.mistake(plan, program, model -> !model.equals("unknown"));
  }

  private PlanStep fill() {
    return step("fill", MODEL);
  }

  private PlanStep good() {
    return step("good", MODEL);
  }

  private PlanStep filled() {
    return step("filled", MODEL);
  }

  private PlanStep project() {
    return step(program.operators().getLast().id(), new Relational());
  }

  @Test
  void independentOperatorsMayBeExchanged() {
    assertThat(mistake(fill(), good(), filled(), project())).isNull();
    assertThat(mistake(good(), fill(), filled(), project())).isNull();
    assertThat(mistake(good(), fill(), project(), filled())).isNull();
  }

  @Test
  void aPlanWithoutAFilterIsRefused() {
    assertThat(mistake(fill(), filled(), project())).contains("lacks").contains("good");
    assertThat(mistake()).contains("lacks");
  }

  @Test
  void anOperatorThatRunsTwiceIsRefused() {
    assertThat(mistake(fill(), fill(), good(), filled(), project())).contains("more than once");
  }

  @Test
  void anOrderThatChangesTheMeaningIsRefused() {
    assertThat(mistake(good(), filled(), fill(), project()))
        .isEqualTo("'filled' must run after 'fill'");
    assertThat(mistake(fill(), project(), good(), filled())).contains("must run after 'good'");
  }

  @Test
  void aTechniqueOfAnotherKindOfOperatorIsRefused() {
    assertThat(mistake(fill(), step("good", new Relational()), filled(), project()))
        .contains("'good' cannot be executed by relational");
    assertThat(mistake(fill(), step("good", new TopKSearch("e", 1)), filled(), project()))
        .contains("cannot be executed");
  }

  @Test
  void anUnknownModelIsRefused() {
    assertThat(mistake(step("fill", new ModelSelection("unknown")), good(), filled(), project()))
        .isEqualTo("the model 'unknown' of 'fill' is unknown");
  }

  @Test
  void aPlanWhoseJudgeSeesExamplesIsRefusedIfTheProgramKeepsThemOut() {
    PhysicalPlan plan =
        new PhysicalPlan(
                "p",
                1,
                new PlanChoice(List.of(fill(), good(), filled(), project()), new Estimate(1, 0, 0)),
                Objective.MAXIMIZE_QUALITY,
                List.of())
            .withGraded(
                Map.of("good", List.of(new GradedExample("e", Document.empty(), List.of(), 1))));

    assertThat(PlanCheck.mistake(plan, program, _ -> true)).isNull();
    assertThat(PlanCheck.examplesMistake(plan, program.withFewShot(false)))
        .contains("labelled examples");
  }

  private @Nullable String mixed(PlanStep... others) {
    PlanStep[] own = {fill(), good(), step("filled", MODEL), step("project", new Relational())};
    PlanChoice choice =
        new PlanChoice(Arrays.asList(own), new Estimate(1, 0, 0))
            .mixedWith(new PlanChoice(Arrays.asList(others), new Estimate(1, 0, 0)), 0.3);
    PhysicalPlan plan = new PhysicalPlan("p", 1, choice, Objective.MAXIMIZE_QUALITY, List.of());
    return PlanCheck.mistake(plan, program, model -> !model.equals("unknown"));
  }

  @Test
  void bothPlansOfAMixtureAreChecked() {
    PlanStep filled = step("filled", MODEL);
    PlanStep slim = step("project", new Relational());
    assertThat(mixed(step("fill", new ModelSelection("gpt-4.1")), good(), filled, slim)).isNull();
    assertThat(mixed(step("fill", new ModelSelection("unknown")), good(), filled, slim))
        .contains("'unknown' of 'fill'");
    assertThat(mixed(good(), fill(), filled, slim)).contains("different operators");
  }
}
