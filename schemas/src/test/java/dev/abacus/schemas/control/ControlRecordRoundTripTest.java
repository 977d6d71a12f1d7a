package dev.abacus.schemas.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.ProgramArbitraries;
import dev.abacus.schemas.value.RecordValues;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ControlRecordRoundTripTest {

  private static final String PROGRAM = "p";

  private final ControlCodec codec =
      new ControlCodec(ModelCatalogue.builtIn(), RecordValues.WITHOUT_REGISTRY);

  @Property(seed = "42", tries = 500)
  void aRecordIsReadBackFromItsKeyAndBytes(@ForAll("records") ControlRecord record)
      throws Exception {
    ControlKey key = ControlKey.parse(record.key().path());

    assertThat(codec.decode(key, ControlCodec.encode(record))).isEqualTo(record);
  }

  @Provide
  Arbitrary<ControlRecord> records() {
    Arbitrary<String> text = ProgramArbitraries.text();
    return Arbitraries.oneOf(
        ProgramArbitraries.programs().map(ControlRecord.ProgramSet::new),
        ProgramArbitraries.programs().flatMap(ControlRecordRoundTripTest::plan),
        ProgramArbitraries.objectives()
            .map(objective -> new ControlRecord.ObjectiveSet(PROGRAM, objective)),
        Combinators.combine(ProgramArbitraries.budgets(), ProgramArbitraries.spendings())
            .as((budget, spending) -> new ControlRecord.BudgetSet(PROGRAM, budget, spending)),
        text.map(model -> new ControlRecord.Pinned(PROGRAM, "classify", new ModelSelection(model))),
        Combinators.combine(Arbitraries.of(true, false), text, text)
            .as((paused, reason, by) -> new ControlRecord.Paused(PROGRAM, paused, reason, by)),
        text.map(token -> new ControlRecord.Reoptimize(PROGRAM, token)),
        Combinators.combine(
                epochs(),
                Arbitraries.doubles().between(0.001, 1).ofScale(6),
                text,
                epochs().injectNull(0.5))
            .as((epoch, share, reason, beside) ->
                new ControlRecord.Activated(
                    PROGRAM, epoch, share, reason, ControlRecord.GOVERNOR, beside)));
  }

  private static Arbitrary<Long> epochs() {
    return Arbitraries.longs().between(1, 1_000_000_000_000L);
  }

  private static Arbitrary<ControlRecord> plan(Program program) {
    Arbitrary<Estimate> estimate =
        Combinators.combine(
                Arbitraries.doubles().between(0, 1),
                Arbitraries.doubles().between(0, 100),
                Arbitraries.doubles().between(0, 100))
            .as(Estimate::new);
    Arbitrary<PlanChoice> choice =
        Combinators.combine(estimate, ProgramArbitraries.text())
            .as((expected, model) ->
                new PlanChoice(
                    program.operators().stream()
                        .map(operator -> new PlanStep(operator, new ModelSelection(model)))
                        .toList(),
                    expected));
    return Combinators.combine(epochs(), choice, choice.list().ofMaxSize(3))
        .as((epoch, chosen, others) ->
            new ControlRecord.PlanPublished(
                new PhysicalPlan(
                    program.name(), epoch, chosen, program.objective(), List.copyOf(others))));
  }
}
