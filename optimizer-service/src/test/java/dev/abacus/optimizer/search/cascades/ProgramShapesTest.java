package dev.abacus.optimizer.search.cascades;

import static dev.abacus.optimizer.Given.filter;
import static dev.abacus.optimizer.Given.join;
import static dev.abacus.optimizer.Given.map;
import static dev.abacus.optimizer.Given.program;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Joins, branches and many operators: which orders are found, and that they are found fast. */
class ProgramShapesTest {

  private final RandomGenerator random = new SplittableRandom(11);

  @Test
  void aFilterAboveAJoinThatReadsTheDocumentGoesBelowIt() {
    Program program = program(join("j", "text"), filter("f", "text"));
    Map<String, List<Candidate>> estimates =
        Map.of("j", one(1, 0.10, 1, 2), "f", one(1, 0.02, 1, 0.5));
    NamedPlan plan = search(program, estimates, "minimize cost").chosen();
    assertThat(order(plan)).containsExactly("f", "j");
    assertThat(plan.estimate().cost()).isEqualTo(0.02 + 0.5 * 0.10);
  }

  @Test
  void aFilterThatReadsBothSidesOfAJoinStays() {
    Program program = program(join("j", "text"), filter("f", "text", "j"));
    Map<String, List<Candidate>> estimates =
        Map.of("j", one(1, 0.10, 1, 2), "f", one(1, 0.02, 1, 0.5));
    NamedPlan plan = search(program, estimates, "minimize cost").chosen();
    assertThat(order(plan)).containsExactly("j", "f");
    assertThat(plan.estimate().cost()).isEqualTo(0.10 + 2 * 0.02);
  }

  @Test
  void joinsAreOrderedByWhatTheyCostAndHowTheyMultiply() {
    Program program = program(join("many", "text"), join("few", "text"));
    Map<String, List<Candidate>> estimates =
        Map.of("many", one(1, 0.01, 1, 3), "few", one(1, 0.05, 1, 0.4));
    NamedPlan plan = search(program, estimates, "minimize cost").chosen();
    assertThat(order(plan)).containsExactly("few", "many");
    assertThat(plan.estimate().cost()).isEqualTo(0.054);
  }

  @Test
  void aFilterAboveTwoBranchesDoesNotChangeWhatTheOtherBranchCosts() {
    Program program =
        parse(
            """
            program: branches
            sources: { messages: { topic: messages } }
            operators:
              - map: left
                input: messages
                instruction: Do it.
                reads: [text]
                writes: { left: string }
              - map: right
                input: messages
                instruction: Do it.
                reads: [text]
                writes: { right: string }
              - join: both
                input: left
                with: right
              - filter: f
                condition: It is right.
                reads: [right]
            results: { topic: results }
            """);
    Map<String, List<Candidate>> estimates =
        Map.of("left", one(1, 0.10, 1, 1), "right", one(1, 0.20, 1, 1), "f", one(1, 0.02, 1, 0.25));
    NamedPlan plan = search(program, estimates, "minimize cost").chosen();
    assertThat(plan.estimate()).isEqualTo(new Estimate(1, 0.20 + 0.02 + 0.10, 2));
  }

  private static final String TWO_STREAMS =
      """
      program: streams
      sources:
        messages: { topic: messages }
        calls: { topic: calls }
      operators:
        - filter: urgent
          input: messages
          condition: It is urgent.
          reads: [text]
        - map: left
          instruction: Do it.
          reads: [text]
          writes: { left: string }
        - map: right
          input: calls
          instruction: Do it.
          reads: [audio]
          writes: { right: string }
        - join: same
          input: left
          with: right
          within: 10m
          on: customer
          condition: Both are about the same thing.
        - map: last
          instruction: Do it.
          reads: [left]
          writes: { last: string }
      results: { topic: results }
      """;

  @Test
  void theSidesOfAStreamJoinRunSideBySideAndCostByTheirOwnDocuments() {
    Program program = parse(TWO_STREAMS);
    Map<String, List<Candidate>> estimates =
        Map.of(
            "urgent", one(0.9, 0.01, 1, 0.5),
            "left", one(0.9, 0.10, 2, 1),
            "right", one(0.9, 0.20, 7, 1),
            "same", one(1, 0.04, 3, 0.1),
            "last", one(1, 1.00, 1, 1));
    NamedSearchResult found = search(program, estimates, "minimize cost");
    assertThat(order(found.chosen())).containsExactly("urgent", "left", "right", "same", "last");
    assertThat(found.chosen().estimate())
        .isEqualTo(new Estimate(0.729, 0.01 + 0.5 * 0.10 + 0.20 + 0.5 * 0.04 + 0.05, 7 + 3 + 1));
    assertThat(found.statistics().epsilon()).isZero();
  }

  @Test
  void theChoiceOnBothSidesOfAStreamJoinIsTheBestOfAllChoices() {
    Program program = parse(TWO_STREAMS);
    for (int run = 0; run < 100; run++) {
      Map<String, List<Candidate>> estimates = new HashMap<>();
      for (LogicalOperator operator : program.operators()) {
        estimates.put(operator.id(), draw(3, operator.id().equals("urgent")));
      }
      double best = 0;
      for (Candidate urgent : candidates(estimates, "urgent")) {
        for (Candidate left : candidates(estimates, "left")) {
          for (Candidate right : candidates(estimates, "right")) {
            for (Candidate same : candidates(estimates, "same")) {
              for (Candidate last : candidates(estimates, "last")) {
                OperatorEstimate u = urgent.estimate();
                OperatorEstimate j = same.estimate();
                double through = u.selectivity() * left.estimate().selectivity();
                double pairs = through * right.estimate().selectivity();
                double cost =
                    u.cost()
                        + u.selectivity() * left.estimate().cost()
                        + right.estimate().cost()
                        + pairs * j.cost()
                        + pairs * j.selectivity() * last.estimate().cost();
                double quality =
                    u.quality()
                        * left.estimate().quality()
                        * right.estimate().quality()
                        * j.quality()
                        * last.estimate().quality();
                best = cost <= 1.5 ? Math.max(best, quality) : best;
              }
            }
          }
        }
      }
      NamedSearchResult found =
          search(program, estimates, "maximize quality subject to cost <= 1.5");
      assertThat(found.feasible()).isEqualTo(best > 0);
      if (best > 0) {
        assertThat(found.chosen().estimate().quality()).isCloseTo(best, within(1e-9));
      }
    }
  }

  @Test
  @Timeout(60)
  void manyIndependentOperatorsDoNotExplode() {
    for (String kind : List.of("maps", "filters", "mixed", "dependent")) {
      List<Given.Spec> specs = new ArrayList<>();
      for (int i = 0; i < (kind.equals("maps") || kind.equals("filters") ? 20 : 7); i++) {
        specs.add(kind.equals("filters") ? filter("o" + i, "text") : map("o" + i, "text"));
      }
      for (int i = 0; i < 3 && specs.size() < 20; i++) {
        specs.add(filter("f" + i, kind.equals("dependent") ? "o" + i : "text"));
      }
      Program program = program(specs);
      Map<String, List<Candidate>> estimates = new HashMap<>();
      for (LogicalOperator operator : program.operators()) {
        estimates.put(operator.id(), draw(20, operator.kind().equals("filter")));
      }
      for (String objective :
          List.of("maximize quality subject to cost <= 5", "minimize cost", "maximize quality")) {
        NamedSearchResult found = search(program, estimates, objective);
        assertThat(found.feasible()).as("%s, %s", kind, objective).isTrue();
        assertThat(found.statistics().groups()).as("%s, %s", kind, objective).isLessThan(3100);
        assertThat(found.statistics().epsilon()).isLessThan(1e-3);
      }
    }
  }

  private List<Candidate> draw(int count, boolean selective) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      candidates.add(
          new Candidate(
              "p" + i,
              new OperatorEstimate(
                  random.nextDouble(0.5, 1),
                  random.nextDouble(),
                  random.nextDouble(),
                  selective ? random.nextDouble() : 1)));
    }
    return candidates;
  }

  private static List<Candidate> candidates(Map<String, List<Candidate>> estimates, String id) {
    return estimates.getOrDefault(id, List.of());
  }

  private static List<Candidate> one(
      double quality, double cost, double latency, double selectivity) {
    return List.of(new Candidate("x", new OperatorEstimate(quality, cost, latency, selectivity)));
  }

  private static List<String> order(NamedPlan plan) {
    return plan.steps().stream().map(step -> step.logical().id()).toList();
  }

  private static NamedSearchResult search(
      Program program, Map<String, List<Candidate>> estimates, String objective) {
    return NamedPlanSearch.search(
        program, estimates, ObjectiveParser.parse(objective), SearchOptions.DEFAULT);
  }

  private static Program parse(String yaml) {
    try {
      return new ProgramParser(ModelCatalogue.builtIn()).parse(yaml);
    } catch (InvalidTextException e) {
      throw new IllegalArgumentException(e);
    }
  }
}
