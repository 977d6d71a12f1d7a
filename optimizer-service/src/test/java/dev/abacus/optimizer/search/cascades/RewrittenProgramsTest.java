package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.Given;
import dev.abacus.optimizer.search.cascades.BruteForce.Exact;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/**
 * Programs that rewrite rules make, against all programs written out by hand, all their orders and
 * all choices.
 */
class RewrittenProgramsTest {

  private static final int CASES = 400;

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20261121);

  private static Given.Spec both(String id, String... reads) {
    return new Given.Spec(input ->
        new SemanticFilter(id, input, List.of("It is one.", "It is two."), List.of(reads)));
  }

  private static Given.Spec part(int number, String... reads) {
    String condition = number == 1 ? "It is one." : "It is two.";
    return new Given.Spec(
        input -> new SemanticFilter("f." + number, input, condition, List.of(reads)));
  }

  /** A filter with two conditions, and two maps; {@code b} may read what {@code a} writes. */
  private List<List<Given.Spec>> programs(boolean dependent) {
    String read = random.nextBoolean() ? "a" : "t";
    String[] readsOfB = dependent ? new String[] {"u", "a"} : new String[] {"u"};
    List<Given.Spec> whole = List.of(both("f", read));
    List<Given.Spec> parts = List.of(part(1, read), part(2, read));
    List<Given.Spec> maps = List.of(Given.map("a", "t"), Given.map("b", readsOfB));
    List<Given.Spec> fused = List.of(Given.map("a+b", List.of("a", "b"), "t", "u"));
    List<List<Given.Spec>> programs = new ArrayList<>();
    for (List<Given.Spec> filter : List.of(whole, parts)) {
      for (List<Given.Spec> last : dependent ? List.of(maps) : List.of(maps, fused)) {
        // A filter that reads what the first map writes comes after both, or it could not be there.
        List<Given.Spec> all = new ArrayList<>(read.equals("a") ? last : filter);
        all.addAll(read.equals("a") ? filter : last);
        programs.add(all);
      }
    }
    return programs;
  }

  @Test
  void theBestPlanIsTheBestOfAllProgramsOrdersAndChoices() {
    int rewritten = 0;
    for (int i = 0; i < CASES; i++) {
      List<Program> programs = new ArrayList<>();
      programs(random.nextInt(4) == 0).forEach(specs -> programs.add(Given.program(specs)));
      Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
      for (Program program : programs) {
        for (LogicalOperator operator : program.operators()) {
          // Sometimes nothing is known of an operator that a rule made.
          boolean made = operator.id().contains("+") || operator.id().contains(".");
          candidates.computeIfAbsent(
              operator.id(),
              _ ->
                  made && random.nextInt(4) == 0
                      ? List.of()
                      : RandomCase.candidates(operator, random));
        }
      }
      programs.removeIf(program ->
          program.operators().stream()
              .anyMatch(o -> candidates.getOrDefault(o.id(), List.of()).isEmpty()));
      List<RandomCase> cases = new ArrayList<>();
      RandomCase written =
          new RandomCase(
              programs.getFirst(), candidates, RandomCase.objective(random), CostModel.SELECTIVITY);
      programs.forEach(program ->
          cases.add(
              new RandomCase(program, candidates, written.objective(), CostModel.SELECTIVITY)));

      NamedSearchResult found =
          NamedPlanSearch.search(
              written.program(), candidates, written.objective(), written.options());

      Dimension target = written.objective().target();
      String at = "case " + i + ": " + written;
      List<BruteForce> brutes = cases.stream().map(BruteForce::new).toList();
      boolean feasible = brutes.stream().anyMatch(brute -> !brute.feasible().isEmpty());
      assertThat(found.feasible()).as(at).isEqualTo(feasible);
      double best = target == Dimension.QUALITY ? 0 : Double.POSITIVE_INFINITY;
      for (int p = 0; p < brutes.size(); p++) {
        Set<Exact> plans = feasible ? brutes.get(p).feasible() : brutes.get(p).all();
        if (!plans.isEmpty()) {
          int size = programs.get(p).operators().size();
          double value = value(BruteForce.best(plans, target), target, size);
          best = target.better(value, best) ? value : best;
        }
      }
      assertThat(found.chosen().estimate().get(target)).as(at).isCloseTo(best, within(1e-9));
      assertThat(found.frontier()).as(at).contains(found.chosen()).doesNotHaveDuplicates();
      assertThat(found.statistics().epsilon()).as(at).isZero();
      rewritten +=
          found.chosen().steps().stream().anyMatch(step -> step.logical().id().matches(".*[.+].*"))
              ? 1
              : 0;
    }
    assertThat(rewritten).isBetween(CASES / 10, CASES * 9 / 10);
  }

  private static double value(long exact, Dimension target, int size) {
    return switch (target) {
      case QUALITY -> exact / Math.pow(100, size);
      case COST -> exact / Math.pow(100, size + 1);
      case LATENCY -> exact / 100.0;
    };
  }
}
