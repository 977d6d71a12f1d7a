package dev.abacus.optimizer.search.cascades;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static dev.abacus.optimizer.Given.project;
import static dev.abacus.optimizer.Given.where;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.Estimates;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The cases that must hold, and what the search promises besides. */
class PlanSearchTest {

  private static final Program THREE_MAPS =
      program(map("a", "text"), map("b", "text"), map("c", "text"));
  private static final Estimates THREE =
      Estimates.builder()
          .put("a", model("good"), estimate(0.9, 0.09, 3, 1))
          .put("a", model("fair"), estimate(0.6, 0.01, 1, 1))
          .put("b", model("good"), estimate(0.8, 0.05, 2, 1))
          .put("b", model("fair"), estimate(0.7, 0.01, 1, 1))
          .put("c", model("good"), estimate(1.0, 0.20, 5, 1))
          .put("c", model("fair"), estimate(0.5, 0.10, 1, 1))
          .build();

  @Test
  void minimalCostTakesTheCheapestOfEveryMap() {
    SearchResult found = search(THREE_MAPS, THREE, "minimize cost");
    assertThat(models(found.chosen())).containsExactly("a=fair", "b=fair", "c=fair");
    assertThat(found.chosen().estimate()).isEqualTo(new Estimate(0.21, 0.12, 3));
    assertThat(found.frontier()).containsExactly(found.chosen());
  }

  @Test
  void maximalQualityTakesTheBestOfEveryMapAndQualitiesMultiply() {
    SearchResult found = search(THREE_MAPS, THREE, "maximize quality");
    assertThat(models(found.chosen())).containsExactly("a=good", "b=good", "c=good");
    assertThat(found.chosen().estimate()).isEqualTo(new Estimate(0.72, 0.34, 10));
    assertThat(found.feasible()).isTrue();
  }

  @Test
  void theFrontierFindsAMixThatNoGreedyChoiceFinds() {
    Program program = program(map("a", "text"), map("b", "a"));
    Estimates estimates =
        Estimates.builder()
            .put("a", model("good"), estimate(1.0, 0.05, 1, 1))
            .put("a", model("fair"), estimate(0.8, 0.01, 1, 1))
            .put("b", model("good"), estimate(0.9, 0.50, 1, 1))
            .put("b", model("fair"), estimate(0.8, 0.01, 1, 1))
            .build();
    // The cheapest a that meets the bound alone leaves only the dear b; the dear a is worth it.
    String objective = "minimize cost subject to quality >= 0.7";
    SearchResult found = search(program, estimates, objective);
    assertThat(models(found.chosen())).containsExactly("a=good", "b=fair");
    assertThat(found.chosen().estimate().cost()).isEqualTo(0.06);
    SearchResult greedy =
        search(
            program, estimates, objective, SearchOptions.DEFAULT.withAlgorithm(Algorithm.GREEDY));
    assertThat(models(greedy.chosen())).containsExactly("a=fair", "b=good");
    SearchResult cascades =
        search(
            program, estimates, objective, SearchOptions.DEFAULT.withAlgorithm(Algorithm.CASCADES));
    assertThat(models(cascades.chosen())).containsExactly("a=fair", "b=fair");
    assertThat(cascades.feasible()).isFalse();
    assertThat(violations(objective, cascades).get(Dimension.QUALITY))
        .isEqualTo(0.06, within(1e-12));
  }

  @Test
  void aCostBoundIsInclusiveWhateverRoundingDoesToSums() {
    Program program = program(map("a", "text"), map("b", "text"));
    Estimates estimates =
        Estimates.builder()
            .put("a", model("good"), estimate(0.9, 0.1, 1, 1))
            .put("b", model("good"), estimate(0.9, 0.2, 1, 1))
            .build();
    assertThat(0.1 + 0.2).isGreaterThan(0.3);
    assertThat(search(program, estimates, "maximize quality subject to cost <= 0.3").feasible())
        .isTrue();
    assertThat(search(program, estimates, "maximize quality subject to cost <= 0.29").feasible())
        .isFalse();
  }

  @Test
  void aPlanThatMissesABoundByAHairIsLikeAnyOtherThatMisses() {
    Program program = program(map("a", "text"));
    Estimates estimates =
        Estimates.builder()
            .put("a", model("fast"), estimate(0.9, 1, 1, 1))
            .put("a", model("cheap"), estimate(0.9, 0.1, 2, 1))
            .build();
    SearchResult found =
        search(program, estimates, "minimize cost subject to latency <= 0.9999999995");
    assertThat(found.feasible()).isFalse();
    assertThat(models(found.chosen())).containsExactly("a=cheap");
  }

  @Test
  void anIndependentFilterGoesBeforeTheMap() {
    Program program = program(map("m", "text"), filter("f", "text"));
    Estimates estimates =
        Estimates.builder()
            .put("m", model("x"), estimate(1, 0.10, 1, 1))
            .put("f", model("x"), estimate(1, 0.02, 1, 0.5))
            .build();
    for (String objective : List.of("minimize cost", "maximize quality", "minimize latency")) {
      SearchResult found = search(program, estimates, objective);
      assertThat(models(found.chosen())).containsExactly("f=x", "m=x");
      assertThat(found.chosen().estimate().cost()).isEqualTo(0.07);
    }
    SearchOptions paper = SearchOptions.DEFAULT.withCostModel(CostModel.PAPER);
    assertThat(search(program, estimates, "minimize cost", paper).chosen().estimate().cost())
        .isEqualTo(0.12);
  }

  @Test
  void aFilterThatReadsTheMapStays() {
    Program program = program(map("m", "text"), filter("f", "m"));
    Estimates estimates =
        Estimates.builder()
            .put("m", model("x"), estimate(1, 0.10, 1, 1))
            .put("f", model("x"), estimate(1, 0.02, 1, 0.5))
            .build();
    SearchResult found = search(program, estimates, "minimize cost");
    assertThat(models(found.chosen())).containsExactly("m=x", "f=x");
    assertThat(found.chosen().estimate().cost()).isEqualTo(0.12);
  }

  @Test
  void mapsWithTheirFiltersAreOrderedByRank() {
    Program program =
        program(map("m1", "text"), filter("f1", "m1"), map("m2", "text"), filter("f2", "m2"));
    // Rank is cost / (1 - selectivity): 0.1 / 0.1 = 1 for the first pair, 0.1 / 0.5 = 0.2 for the
    // second.
    Estimates estimates =
        Estimates.builder()
            .put("m1", model("x"), estimate(1, 0.08, 1, 1))
            .put("f1", model("x"), estimate(1, 0.02, 1, 0.9))
            .put("m2", model("x"), estimate(1, 0.05, 1, 1))
            .put("f2", model("x"), estimate(1, 0.05, 1, 0.5))
            .build();
    SearchResult found = search(program, estimates, "minimize cost");
    assertThat(models(found.chosen())).containsExactly("m2=x", "f2=x", "m1=x", "f1=x");
    assertThat(found.chosen().estimate().cost()).isEqualTo(0.15);
  }

  @Test
  void sevenFiltersAllGoBelowTheMap() {
    List<Given.Spec> specs = new ArrayList<>(List.of(map("m", "text")));
    Estimates.Builder estimates =
        Estimates.builder().put("m", model("x"), estimate(0.9, 0.5, 1, 1));
    for (int i = 0; i < 7; i++) {
      specs.add(filter("f" + i, "text"));
      estimates.put("f" + i, model("x"), estimate(0.9, 0.01 * (i + 1), 1, 0.5));
    }
    SearchResult found = search(program(specs), estimates.build(), "minimize cost");
    assertThat(models(found.chosen()))
        .containsExactly("f0=x", "f1=x", "f2=x", "f3=x", "f4=x", "f5=x", "f6=x", "m=x");
    SearchStatistics statistics =
        statistics(program(specs), estimates.build(), ObjectiveParser.parse("minimize cost"));
    assertThat(statistics.groups()).isLessThan(20);
    assertThat(statistics.allOrders()).isTrue();
  }

  @Test
  void tiesKeepFiltersFirstAndOtherwiseTheOrderWritten() {
    Program program = program(map("m", "text"), map("n", "text"), filter("f", "text"));
    Estimates estimates =
        Estimates.builder()
            .put("m", model("x"), estimate(1, 0.1, 1, 1))
            .put("m", model("a"), estimate(1, 0.1, 1, 1))
            .put("n", model("x"), estimate(1, 0.1, 1, 1))
            .put("f", model("x"), estimate(1, 0.1, 1, 1))
            .build();
    assertThat(models(search(program, estimates, "minimize cost").chosen()))
        .containsExactly("f=x", "m=a", "n=x");
  }

  @Test
  void withNothingFeasibleTheBestByTheTargetIsChosenAndMarked() {
    String objective = "maximize quality subject to cost <= 0.1, latency <= 2s";
    SearchResult found = search(THREE_MAPS, THREE, objective);
    assertThat(found.feasible()).isFalse();
    assertThat(found.chosen().estimate().quality()).isEqualTo(0.72);
    assertThat(violations(objective, found))
        .hasEntrySatisfying(Dimension.COST, by -> assertThat(by).isEqualTo(0.24, within(1e-12)))
        .hasEntrySatisfying(Dimension.LATENCY, by -> assertThat(by).isEqualTo(8, within(1e-12)));
    SearchResult least =
        search(
            THREE_MAPS,
            THREE,
            objective,
            SearchOptions.DEFAULT.withInfeasiblePolicy(InfeasiblePolicy.LEAST_VIOLATION));
    assertThat(least.feasible()).isFalse();
    assertThat(models(least.chosen())).containsExactly("a=fair", "b=fair", "c=fair");
  }

  @Test
  void anOperatorOfWhichNothingIsKnownIsNamed() {
    Program program = program(map("a", "text"), map("z", "text"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> search(program, THREE, "minimize cost"))
        .withMessageContaining("operator 'z'");
  }

  @Test
  void aProjectionIsFreeAndNeedsNoEstimate() {
    Program program = program(map("a", "text"), project("p", "a", "text"));
    SearchResult found = search(program, THREE, "maximize quality");
    assertThat(found.chosen().signature()).isEqualTo("a=model-selection(good) -> p=relational");
    assertThat(found.chosen().estimate()).isEqualTo(new Estimate(0.9, 0.09, 3));
  }

  @Test
  void aProgramWithoutOperatorsIsAnEmptyPlan() {
    SearchResult found = search(program(), THREE, "maximize quality");
    assertThat(found.chosen().steps()).isEmpty();
    assertThat(found.chosen().estimate()).isEqualTo(new Estimate(1, 0, 0));
  }

  @Test
  void aFilterInCodeRunsBeforeAModelAndItsFanoutIsInTheCost() {
    Estimates estimates =
        Estimates.builder().put("m", model("a"), estimate(0.9, 0.01, 1, 1)).build();
    for (Double fanout : new Double[] {0.1, null}) {
      PlanChoice plan =
          search(
                  program(map("m", "text"), where("w", "doc.year > 2000", fanout)),
                  estimates,
                  "maximize quality")
              .chosen();
      assertThat(plan.steps()).extracting(step -> step.logical().id()).containsExactly("w", "m");
      assertThat(plan.estimate().cost()).isCloseTo(fanout == null ? 0.01 : 0.001, within(1e-4));
    }
  }

  private static SearchResult search(Program program, Estimates estimates, String objective) {
    return search(program, estimates, objective, SearchOptions.DEFAULT);
  }

  private static SearchResult search(
      Program program, Estimates estimates, String objective, SearchOptions options) {
    Objective parsed = ObjectiveParser.parse(objective);
    return PlanSearch.search(program, estimates.byOperator(), Fanouts.STATED, parsed, options);
  }

  private static SearchStatistics statistics(
      Program program, Estimates estimates, Objective objective) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    estimates
        .byOperator()
        .forEach((operator, byPhysical) ->
            candidates.put(
                operator,
                byPhysical.entrySet().stream()
                    .map(one -> new Candidate(one.getKey().id(), one.getValue()))
                    .toList()));
    return NamedPlanSearch.search(program, candidates, objective, SearchOptions.DEFAULT)
        .statistics();
  }

  private static Map<Dimension, Double> violations(String objective, SearchResult found) {
    return PlanSelection.violations(ObjectiveParser.parse(objective), found.chosen().estimate());
  }

  private static List<String> models(PlanChoice plan) {
    return plan.steps().stream()
        .map(step -> step.logical().id() + "=" + String.join("+", step.physical().chatModels()))
        .toList();
  }

  private static PhysicalOperator model(String name) {
    return new ModelSelection(name);
  }

  private static OperatorEstimate estimate(
      double quality, double cost, double latency, double selectivity) {
    return new OperatorEstimate(quality, cost, latency, selectivity);
  }
}
