package dev.abacus.schemas.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LearnedOrderTest {

  private static final TrainedClassifier CLASSIFIER =
      new TrainedClassifier(
          List.of("false", "true"),
          TrainedClassifier.encode(new float[2][3]),
          List.of(2.0, 2.0),
          0,
          10);

  private static final Field FIELD = new Field("x", new FieldType.StringType(List.of()), "", false);

  @Test
  void theRuleIsTheCheapestOfAllOrdersIfAnswersAreIndependent() {
    Random random = new Random(1);
    for (int round = 0; round < 2000; round++) {
      int filters = 2 + random.nextInt(5);
      double[] costs = random.doubles(filters).toArray();
      double[] chances = random.doubles(filters).toArray();
      double least =
          permutations(filters).stream()
              .mapToDouble(order -> expected(order, costs, chances))
              .min()
              .orElseThrow();
      assertThat(expected(LearnedOrder.order(costs, chances), costs, chances))
          .isCloseTo(least, within(1e-12));
    }
  }

  @Test
  void theBestFixedOrderIsTheCheapestOfAllWhateverAnswersDependOn() {
    Random random = new Random(3);
    for (int round = 0; round < 300; round++) {
      int filters = 2 + random.nextInt(4);
      double[][] costs = new double[30][];
      boolean[][] passes = new boolean[30][filters];
      for (int i = 0; i < 30; i++) {
        costs[i] = random.doubles(filters).toArray();
        for (int j = 0; j < filters; j++) {
          passes[i][j] = (j > 0 && random.nextBoolean()) ? passes[i][j - 1] : random.nextBoolean();
        }
      }
      double least =
          permutations(filters).stream()
              .mapToDouble(order -> total(order, costs, passes))
              .min()
              .orElseThrow();
      assertThat(total(LearnedOrder.fixed(costs, passes), costs, passes))
          .isCloseTo(least, within(1e-9));
    }
  }

  private static double total(List<Integer> order, double[][] costs, boolean[][] passes) {
    return IntStream.range(0, costs.length)
        .mapToDouble(i -> LearnedOrder.cost(order, costs[i], passes[i]))
        .sum();
  }

  @Test
  void everyFilterComesOnceWhateverTheNumbersAre() {
    Random random = new Random(2);
    double[] extremes = {0, 1, 1e-300, 0.5};
    for (int round = 0; round < 2000; round++) {
      int filters = 2 + random.nextInt(7);
      double[] costs = random.ints(filters, 0, 4).mapToDouble(i -> extremes[i]).toArray();
      double[] chances = random.ints(filters, 0, 4).mapToDouble(i -> extremes[i]).toArray();
      List<Integer> order = LearnedOrder.order(costs, chances);
      assertThat(order)
          .containsExactlyInAnyOrderElementsOf(IntStream.range(0, filters).boxed().toList())
          .isEqualTo(LearnedOrder.order(costs, chances));
    }
  }

  @Test
  void whatAClassifierAnswersComesFirstAndEqualFiltersStay() {
    assertThat(LearnedOrder.order(new double[] {1, 0, 1}, new double[] {0.5, 0.9, 0.5}))
        .containsExactly(1, 0, 2);
  }

  @Test
  void filtersSideBySideMayBeReordered() throws Exception {
    assertThat(runs("- filter: a\n    condition: A.", "- filter: b\n    condition: B."))
        .containsExactly(List.of("a", "b"));
    assertThat(
            runs(
                "- filter: a\n    condition: A.",
                "- map: m\n    instruction: I.\n    writes: { x: { type: string } }",
                "- filter: b\n    condition: B.",
                "- filter: c\n    condition: C."))
        .containsExactly(List.of("b", "c"));
    assertThat(
            runs(
                "- map: m\n    instruction: I.\n    cardinality: many\n    writes: { x: { type: string } }",
                "- filter: b\n    condition: B.",
                "- filter: c\n    condition: C."))
        .isEmpty();
    assertThat(
            runs(
                "- filter: a\n    condition: A.",
                "- filter: b\n    condition: B.\n    where: doc.x > 1",
                "- filter: c\n    condition: C."))
        .isEmpty();
  }

  @Test
  void theCostOfThePlanIsThatOfTheOrder() {
    PhysicalPlan plan = plan(0);
    assertThat(plan.range(plan.choice(), Dimension.COST)).isEqualTo(new Range(1.5, 1.2, 1.8));
    assertThat(plan.isOrdered("a")).isTrue();
  }

  @Test
  void otherOperatorsKeepTheirCost() {
    PhysicalPlan plan = plan(5);
    Range cost = plan.range(plan.choice(), Dimension.COST);
    // 5 for the map, and half of the documents reach the filters, which were to cost 2 + 0.5 * 2.
    assertThat(cost.mean()).isCloseTo(6.5 - 0.5 * 3 + 0.5 * 1.5, within(1e-9));
    assertThat(cost.high()).isCloseTo(cost.mean() + 0.5 * 0.3, within(1e-9));
  }

  /** Two filters behind a map of this cost; 0 for none. The estimate is exact. */
  private static PhysicalPlan plan(double map) {
    List<PlanStep> steps = new ArrayList<>();
    Map<String, Map<String, StepEstimate>> basis = new HashMap<>();
    PhysicalOperator model = new ModelSelection("m");
    if (map > 0) {
      steps.add(new PlanStep(new SemanticMap("map", "in", "i", List.of(), List.of(FIELD)), model));
      basis.put("map", Map.of(model.id(), estimate(map)));
    }
    for (String id : List.of("a", "b")) {
      steps.add(new PlanStep(new SemanticFilter(id, "in", id, List.of()), model));
      basis.put(id, Map.of(model.id(), estimate(2)));
    }
    double cost = map > 0 ? 6.5 : 3;
    return new PhysicalPlan(
            "p",
            1,
            new PlanChoice(steps, new Estimate(1, cost, 1)),
            ObjectiveParser.parse("maximize quality"),
            List.of())
        .with(
            basis,
            new PlanPromise(
                10,
                Range.of(1),
                new Range(cost, cost, cost),
                Range.of(1),
                0.9,
                Map.of(),
                null,
                null,
                null,
                null,
                List.of(),
                null,
                null),
            0.9)
        .withLearned(
            2,
            Map.of(),
            List.of(
                new LearnedOrder(
                    "e",
                    0.02,
                    100,
                    Map.of(
                        "a", new LearnedOrder.Chance("q", 2, CLASSIFIER),
                        "b", new LearnedOrder.Chance("q", 2, CLASSIFIER)),
                    new LearnedOrder.Prediction(new Range(1.5, 1.2, 1.8), 2, 50))));
  }

  private static StepEstimate estimate(double cost) {
    return new StepEstimate(10, Range.of(1), Range.of(cost), Range.of(1), 0.5);
  }

  private static List<List<String>> runs(String... operators) throws Exception {
    String program =
        "program: p\nsources: { docs: { topic: in } }\noperators:\n  %s\nresults: { topic: out }\n"
            .formatted(String.join("\n  ", operators));
    List<PlanStep> steps =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(program).operators().stream()
                .map(operator -> new PlanStep(operator, new ModelSelection("m")))
                .toList();
    return LearnedOrder.runs(steps).stream()
        .map(run -> run.stream().map(step -> step.logical().id()).toList())
        .toList();
  }

  private static double expected(List<Integer> order, double[] costs, double[] chances) {
    double cost = 0;
    double reaching = 1;
    for (int filter : order) {
      cost += reaching * costs[filter];
      reaching *= chances[filter];
    }
    return cost;
  }

  private static List<List<Integer>> permutations(int filters) {
    if (filters == 0) {
      return List.of(List.of());
    }
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> shorter : permutations(filters - 1)) {
      for (int i = 0; i < filters; i++) {
        List<Integer> one = new ArrayList<>(shorter);
        one.add(i, filters - 1);
        all.add(one);
      }
    }
    return all;
  }
}
