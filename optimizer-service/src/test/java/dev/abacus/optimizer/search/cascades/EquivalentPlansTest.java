package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Plans of programs with branches and joins of streams mean what the program says, and their
 * estimates follow from their inputs. {@link ProgramMeaning} and a formula of this test say so.
 */
class EquivalentPlansTest {

  private static final int PROGRAMS = 400;

  @Test
  void everyPlanOfABranchProgramMeansWhatTheProgramSays() {
    int moved = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = RandomPrograms.branches(random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      for (String objective : List.of("minimize cost", "minimize latency")) {
        NamedSearchResult found = search(program, candidates, objective);
        for (NamedPlan plan : found.frontier()) {
          Program planned = planned(plan, program);
          assertThat(ProgramMeaning.of(planned))
              .as("program %d%n%s%n%s", seed, program.operators(), planned.operators())
              .isEqualTo(ProgramMeaning.of(program));
          assertThat(mistake(planned, program)).as("program %d", seed).isNull();
          assertEstimate(plan.estimate(), estimate(planned, chosen(plan, candidates)));
          moved += planned.operators().equals(program.operators()) ? 0 : 1;
        }
      }
    }
    assertThat(moved).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void thePlanIsAtLeastAsGoodAsEveryChoiceForTheProgramAsWritten() {
    int nested = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = RandomPrograms.branches(random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      for (String text :
          List.of(
              "minimize cost",
              "minimize latency",
              "maximize quality",
              "minimize cost subject to quality >= 0.2",
              "maximize quality subject to latency <= 3")) {
        Objective objective = ObjectiveParser.parse(text);
        NamedSearchResult found = search(program, candidates, text);
        double best = best(program, candidates, objective);
        double value = found.chosen().estimate().get(objective.target());
        if (!found.statistics().allOrders()) {
          continue;
        }
        nested++;
        assertThat(found.feasible() || Double.isNaN(best))
            .as("program %d, %s", seed, text)
            .isTrue();
        if (!Double.isNaN(best)) {
          boolean maximize = objective.target() == Dimension.QUALITY;
          assertThat(maximize ? value >= best - 1e-9 : value <= best + 1e-9)
              .as("program %d, %s: %s, best as written %s", seed, text, value, best)
              .isTrue();
        }
      }
    }
    assertThat(nested).isGreaterThan(PROGRAMS);
  }

  /** What the rules across sides are worth; docs/benchmarks.md states it. */
  @Test
  void theRulesAcrossSidesMakePlansCheaper() {
    List<Double> ratios = new ArrayList<>();
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = RandomPrograms.branches(random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      EquivalentPrograms equivalent = EquivalentPrograms.of(program);
      double least = cost(equivalent, candidates);
      if (equivalent.programs().size() > 1 && least > 0) {
        ratios.add(cost(new EquivalentPrograms(List.of(program), true), candidates) / least);
      }
    }
    ratios.sort(null);
    assertThat(ratios.getFirst()).isGreaterThanOrEqualTo(1 - 1e-9);
    assertThat(ratios.get(ratios.size() / 2)).isGreaterThan(1.2);
  }

  private static double cost(EquivalentPrograms programs, Map<String, List<Candidate>> candidates) {
    return NamedPlanSearch.search(
            programs,
            candidates,
            ObjectiveParser.parse("minimize cost"),
            SearchOptions.DEFAULT,
            Integer.MAX_VALUE)
        .chosen()
        .estimate()
        .cost();
  }

  @Test
  void theBranchesOfAPlanTakeTheTimeOfTheLongest() {
    Program program =
        RandomPrograms.parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: left, with: right }
              - { filter: f, condition: It is right., reads: [r] }
              - { map: last, instruction: Z., reads: [l, r], writes: { z: string } }
            results: { topic: out }
            """);
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", one(0.9, 0.10, 2, 1),
            "right", one(0.9, 0.20, 5, 1),
            "f", one(1, 0.02, 1, 0.25),
            "last", one(1, 0.40, 1, 1));

    assertEstimate(
        search(program, candidates, "minimize cost").chosen().estimate(),
        new Estimate(0.81, 0.10 + 0.20 + 0.02 + 0.25 * 0.40, 5 + 1 + 1));
  }

  @Test
  void aFilterInABranchThatReadsTheDocumentRunsBeforeTheSplit() {
    Program program =
        RandomPrograms.parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
              - { filter: f, condition: It is right., reads: [b] }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: f, with: right }
            results: { topic: out }
            """);
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", one(1, 0.10, 2, 1),
            "right", one(1, 0.20, 5, 1),
            "f", one(1, 0.02, 1, 0.25));
    NamedPlan plan = search(program, candidates, "minimize cost").chosen();

    assertThat(plan.estimate()).isEqualTo(new Estimate(1, 0.02 + 0.25 * 0.30, 6));
    assertThat(plan.steps().getFirst().logical().id()).isEqualTo("f");
  }

  @Test
  void operatorsMoveBelowAJoinOfStreamsWithoutAChangeOfMeaning() {
    int moved = 0;
    for (int seed = 0; seed < PROGRAMS; seed++) {
      Random random = new Random(seed);
      Program program = RandomPrograms.streams(random);
      for (Program other : EquivalentPrograms.of(program).programs()) {
        assertThat(ProgramMeaning.of(other))
            .as("program %d%n%s%n%s", seed, program.operators(), other.operators())
            .isEqualTo(ProgramMeaning.of(program));
        assertThat(mistake(other, program)).as("program %d", seed).isNull();
        moved += other.equals(program) ? 0 : 1;
      }
      Map<String, List<Candidate>> candidates = candidates(program, random);
      NamedSearchResult found = search(program, candidates, "minimize cost");
      assertThat(found.chosen().estimate().cost())
          .isLessThanOrEqualTo(
              best(program, candidates, ObjectiveParser.parse("minimize cost")) + 1e-9);
    }
    assertThat(moved).isGreaterThan(PROGRAMS / 4);
  }

  @Test
  void aLimitRunsBeforeTheMapsThatDoNotChangeTheNumberOfDocuments() {
    Program program =
        RandomPrograms.parse(
            """
            program: first
            sources: { docs: { topic: docs } }
            operators:
              - { filter: f, condition: It is right., reads: [a] }
              - { map: m, instruction: L., reads: [a], writes: { l: string } }
              - { map: many, instruction: L., reads: [a], writes: { k: string }, cardinality: many }
              - limit: 10
            results: { topic: out }
            """);

    Map<String, List<Candidate>> candidates =
        Map.of(
            "f", one(1, 0.01, 1, 0.5),
            "m", one(1, 0.10, 1, 1),
            "many", one(1, 0.10, 1, 2),
            "limit", one(1, 0, 0, 0.1));

    NamedPlan plan = search(program, candidates, "minimize cost").chosen();

    Program planned = planned(plan, program);
    assertThat(planned.operators())
        .extracting(LogicalOperator::id)
        .containsExactly("f", "many", "limit", "m");
    assertThat(mistake(planned, program)).isNull();
    assertThat(plan.estimate().cost()).isCloseTo(0.01 + 0.5 * 0.10 + 0.1 * 0.10, within(1e-9));
  }

  /** The last filter reads every field, so it would take the projection along. */
  @Test
  void aProjectionStaysBehindAMerge() {
    Program program =
        RandomPrograms.parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { filter: left, input: docs, condition: L., reads: [a] }
              - { filter: right, input: docs, condition: R., reads: [b] }
              - { join: both, input: left, with: right }
              - project: [a, b]
              - { filter: last, condition: Z. }
            results: { topic: out }
            """);
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", one(1, 0.10, 1, 0.9),
            "right", one(1, 0.20, 1, 0.9),
            "last", one(1, 0.01, 1, 0.1));

    NamedPlan plan = search(program, candidates, "minimize cost").chosen();

    assertThat(mistake(planned(plan, program), program)).isNull();
  }

  @Test
  void aPlanWhoseStepsReadOtherBranchesIsRefused() {
    Program program =
        RandomPrograms.parse(
            """
            program: sides
            sources: { docs: { topic: docs } }
            operators:
              - { map: left, input: docs, instruction: L., reads: [a], writes: { a: string } }
              - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
              - { join: both, input: left, with: right }
            results: { topic: out }
            """);
    List<LogicalOperator> written = program.operators();

    assertThat(
            mistake(
                program.withOperators(
                    List.of(
                        written.get(0),
                        written.get(1).withInputs(List.of("left")),
                        written.get(2))),
                program))
        .isEqualTo("'right' must not read 'left'");
    assertThat(
            mistake(
                program.withOperators(
                    List.of(
                        written.get(0),
                        written.get(1),
                        written.get(2).withInputs(List.of("right", "left")))),
                program))
        .isEqualTo("'both' must not read 'right'");
  }

  private static Program planned(NamedPlan plan, Program program) {
    return program.withOperators(plan.steps().stream().map(NamedPlan.Step::logical).toList());
  }

  private static @Nullable String mistake(Program planned, Program program) {
    List<PlanStep> steps =
        planned.operators().stream()
            .map(operator ->
                new PlanStep(
                    operator, operator.isSemantic() ? new ModelSelection("m") : new Relational()))
            .toList();
    PhysicalPlan plan =
        new PhysicalPlan(
            program.name(),
            1,
            new PlanChoice(steps, new Estimate(1, 0, 0)),
            Objective.MAXIMIZE_QUALITY,
            List.of());
    return PlanCheck.mistake(plan, program, _ -> true);
  }

  private static void assertEstimate(Estimate actual, Estimate expected) {
    assertThat(actual.quality()).isCloseTo(expected.quality(), within(1e-9));
    assertThat(actual.cost()).isCloseTo(expected.cost(), within(1e-9));
    assertThat(actual.latency()).isCloseTo(expected.latency(), within(1e-9));
  }

  private static Map<String, OperatorEstimate> chosen(
      NamedPlan plan, Map<String, List<Candidate>> candidates) {
    Map<String, OperatorEstimate> chosen = new HashMap<>();
    for (NamedPlan.Step step : plan.steps()) {
      candidates.getOrDefault(step.logical().id(), List.of()).stream()
          .filter(candidate -> candidate.id().equals(step.physical()))
          .forEach(candidate -> chosen.put(step.logical().id(), candidate.estimate()));
    }
    return chosen;
  }

  /** The best value of the target over all choices that meet the bounds; NaN if none does. */
  private static double best(
      Program program, Map<String, List<Candidate>> candidates, Objective objective) {
    double best = Double.NaN;
    List<Map<String, OperatorEstimate>> choices = new ArrayList<>(List.of(Map.of()));
    for (LogicalOperator operator : program.operators()) {
      List<Map<String, OperatorEstimate>> more = new ArrayList<>();
      for (Map<String, OperatorEstimate> choice : choices) {
        for (Candidate candidate : candidates.getOrDefault(operator.id(), List.of())) {
          Map<String, OperatorEstimate> one = new HashMap<>(choice);
          one.put(operator.id(), candidate.estimate());
          more.add(one);
        }
      }
      choices = more;
    }
    for (Map<String, OperatorEstimate> choice : choices) {
      Estimate estimate = estimate(program, choice);
      if (objective.bounds().stream()
          .allMatch(bound -> bound.holds(estimate.get(bound.dimension())))) {
        double value = estimate.get(objective.target());
        boolean better = objective.target() == Dimension.QUALITY ? value > best : value < best;
        best = Double.isNaN(best) || better ? value : best;
      }
    }
    return best;
  }

  /** Equation 1 with the number of documents that reach an operator. */
  private static Estimate estimate(Program program, Map<String, OperatorEstimate> chosen) {
    double quality = 1;
    double cost = 0;
    for (LogicalOperator operator : program.operators()) {
      OperatorEstimate own = chosen.getOrDefault(operator.id(), OperatorEstimate.RELATIONAL);
      double reaching = 1;
      for (String before : upstream(operator.id(), program)) {
        reaching *= chosen.getOrDefault(before, OperatorEstimate.RELATIONAL).selectivity();
      }
      quality *= own.quality();
      cost += reaching * own.cost();
    }
    return new Estimate(
        quality, cost, latency(program.operators().getLast().id(), program, chosen));
  }

  private static double latency(
      String node, Program program, Map<String, OperatorEstimate> chosen) {
    LogicalOperator operator = program.operator(node);
    if (operator == null) {
      return 0;
    }
    double before =
        operator.inputs().stream()
            .mapToDouble(input -> latency(input, program, chosen))
            .max()
            .orElse(0);
    return before + chosen.getOrDefault(node, OperatorEstimate.RELATIONAL).latency();
  }

  private static Set<String> upstream(String node, Program program) {
    Set<String> found = new TreeSet<>();
    LogicalOperator operator = program.operator(node);
    if (operator != null) {
      for (String input : operator.inputs()) {
        if (program.operator(input) != null) {
          found.add(input);
          found.addAll(upstream(input, program));
        }
      }
    }
    return found;
  }

  private static Map<String, List<Candidate>> candidates(Program program, Random random) {
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      List<Candidate> own = new ArrayList<>();
      for (int i = 0; i < (operator.isSemantic() ? 2 : 0); i++) {
        double most = operator.outputs().mayBeSeveral() ? 2 : 1;
        own.add(
            new Candidate(
                "p" + i,
                new OperatorEstimate(
                    random.nextInt(50, 100) / 100.0,
                    random.nextInt(100) / 100.0,
                    random.nextInt(100) / 100.0,
                    operator.outputs().mayBeNone() ? most * random.nextInt(100) / 100.0 : 1)));
      }
      if (operator instanceof Limit) {
        own.add(new Candidate("p", new OperatorEstimate(1, 0, 0, 0.5)));
      }
      candidates.put(
          operator.id(),
          own.isEmpty() ? List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)) : own);
    }
    return candidates;
  }

  private static List<Candidate> one(
      double quality, double cost, double latency, double selectivity) {
    return List.of(new Candidate("x", new OperatorEstimate(quality, cost, latency, selectivity)));
  }

  private static NamedSearchResult search(
      Program program, Map<String, List<Candidate>> estimates, String objective) {
    Map<String, List<Candidate>> all = new HashMap<>(estimates);
    program
        .operators()
        .forEach(operator -> {
          if (!operator.isSemantic()) {
            all.putIfAbsent(
                operator.id(), List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)));
          }
        });
    return NamedPlanSearch.search(
        program, all, ObjectiveParser.parse(objective), SearchOptions.DEFAULT);
  }
}
