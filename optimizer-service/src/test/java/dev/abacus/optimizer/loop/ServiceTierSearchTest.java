package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SampleBudget;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Six models with the tier flex: the same answers, at half the price and three times the latency.
 * The objective decides about the tier.
 */
class ServiceTierSearchTest {

  private static final String FLEX = "@flex";
  private static final int OPERATORS = 3;

  /** At the standard tier an operator takes 1 to 2 s, at flex 3 to 6 s. */
  private static Observation answered(SampleTask task) {
    String id = task.physical().id();
    boolean flex = id.contains(FLEX);
    String plain = task.operator().id() + ServiceTier.withoutTiers(id);
    double noise = 0.2 * (TestWorld.unit(5, plain + task.exampleId()) - 0.5);
    return TestWorld.observation(
            task,
            Outcome.KEPT,
            Math.clamp(0.3 + 0.5 * TestWorld.unit(6, plain) + noise, 0, 1),
            (0.001 + 0.004 * TestWorld.unit(7, plain)) * (flex ? 0.5 : 1) * (1 + noise),
            (1 + TestWorld.unit(8, plain)) * (flex ? 3 : 1))
        .toBuilder()
        .atTiers(Map.of("standard", flex ? 2.0 : 1.0, "flex", flex ? 1.0 : 0.5))
        .build();
  }

  private static PhysicalPlan search(String objective, long seed) {
    return search(objective, seed, List.of("", FLEX));
  }

  private static PhysicalPlan search(String objective, long seed, List<String> tiers) {
    LoopSettings settings =
        LoopSettings.builder(
                seed,
                priors -> PolicyName.SURROGATE.create(seed, 1, priors),
                program -> space(program, tiers),
                ModelCatalogue.of(List.of()))
            .search(SearchOptions.DEFAULT.withFrontierDimensions(SearchOptions.ALL_DIMENSIONS))
            .confirmation(Confirmation.DEFAULT)
            .build();
    return new TestRun(ServiceTierSearchTest::answered, seed, settings)
        .program(TestPrograms.triage(objective, new SampleBudget.Invocations(150)))
        .examples(60)
        .finishInWaves()
        .activePlan();
  }

  private static Map<String, List<PhysicalOperator>> space(Program program, List<String> tiers) {
    List<PhysicalOperator> arms =
        IntStream.range(0, 6)
            .boxed()
            .flatMap(i -> tiers.stream().map(tier -> "m" + i + tier))
            .map(model -> (PhysicalOperator) new ModelSelection(model))
            .toList();
    Map<String, List<PhysicalOperator>> space = new HashMap<>();
    program.semanticOperators().forEach(operator -> space.put(operator.id(), arms));
    return space;
  }

  private static List<String> models(PlanChoice plan) {
    return plan.steps().stream().flatMap(step -> step.physical().chatModels().stream()).toList();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void withoutABoundOnLatencyItIsTheCheaperTier(long seed) {
    PhysicalPlan plan = search("maximize quality", seed);

    assertThat(models(plan.choice())).hasSize(OPERATORS).allMatch(model -> model.endsWith(FLEX));
  }

  /** The same samples, the same answers, at half the price. */
  @ParameterizedTest
  @CsvSource({
    "maximize quality subject to cost <= 0.02, 1",
    "maximize quality subject to cost <= 0.02, 2",
    "maximize quality subject to cost <= 0.02, 3",
    "minimize cost subject to quality >= 0.15, 1",
    "minimize cost subject to quality >= 0.15, 2",
    "minimize cost subject to quality >= 0.15, 3"
  })
  void aDocumentCostsHalfOfWhatItCostsWithoutTheTier(String objective, long seed) {
    PhysicalPlan without = search(objective, seed, List.of(""));
    PhysicalPlan with = search(objective, seed);

    assertThat(models(with.choice())).allMatch(model -> model.endsWith(FLEX));
    assertThat(ServiceTier.withoutTiers(with.choice().signature()))
        .isEqualTo(without.choice().signature());
    assertThat(with.estimate().cost() / without.estimate().cost()).isBetween(0.48, 0.52);
    assertThat(with.promise()).isNotNull();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void aBoundOnLatencyKeepsItOut(long seed) {
    // No operator at flex leaves enough for the two others.
    PhysicalPlan plan = search("maximize quality subject to latency <= 4.9", seed);

    assertThat(models(plan.choice())).hasSize(OPERATORS).noneMatch(model -> model.endsWith(FLEX));
  }

  @Test
  void theFrontierHasTheSamePlanAtTheFasterTierForTheGovernor() {
    PhysicalPlan plan = search("maximize quality", 1);
    String answers = ServiceTier.withoutTiers(plan.choice().signature());

    assertThat(plan.frontier())
        .filteredOn(other -> ServiceTier.withoutTiers(other.signature()).equals(answers))
        .anySatisfy(same -> {
          assertThat(models(same)).noneMatch(model -> model.endsWith(FLEX));
          assertThat(same.estimate().latency()).isLessThan(0.8 * plan.estimate().latency());
        });
  }
}
