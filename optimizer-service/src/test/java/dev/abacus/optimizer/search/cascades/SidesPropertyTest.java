package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Programs with branches and joins of streams against all choices, if groups keep few subplans:
 * whether a plan is feasible is exact, and the plan is as good as the search says.
 */
class SidesPropertyTest {

  private static final String BRANCHES =
      """
      program: sides
      sources: { docs: { topic: docs } }
      operators:
        - { %s: first, input: docs, %s: F., reads: [a]%s }
        - { map: left, input: first, instruction: L., reads: [x], writes: { l: string } }
        - { %s: next, input: left, %s: N., reads: [l]%s }
        - { map: right, input: first, instruction: R., reads: [x], writes: { r: string } }
        - { join: both, input: next, with: right }
        - { map: last, instruction: Z., reads: [l, r], writes: { z: string } }
      results: { topic: out }
      """;

  private static final String STREAMS =
      """
      program: streams
      sources: { docs: { topic: docs }, calls: { topic: calls } }
      operators:
        - { %s: first, input: docs, %s: F., reads: [a]%s }
        - { map: left, input: first, instruction: L., reads: [x], writes: { l: string } }
        - { %s: next, input: calls, %s: N., reads: [c]%s }
        - { map: right, input: next, instruction: R., reads: [x], writes: { r: string } }
        - { join: both, input: left, with: right, within: 10m, on: k, condition: They match. }
        - { map: last, instruction: Z., reads: [both], writes: { z: string } }
      results: { topic: out }
      """;

  private static final int CASES = 600;

  @Test
  void thePlanMeetsItsBoundsAndIsAsGoodAsItSays() {
    int feasible = 0;
    int approximate = 0;
    for (int seed = 0; seed < CASES; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      Program program = program(seed % 2 == 0 ? BRANCHES : STREAMS, random);
      Map<String, List<Candidate>> candidates = candidates(program, random);
      List<Estimate> all = new ArrayList<>();
      choose(program, candidates, 0, new HashMap<>(), all);
      Objective objective = objective(all, random);
      int room = 2 + random.nextInt(11);

      NamedSearchResult found =
          NamedPlanSearch.search(
              EquivalentPrograms.of(program), candidates, objective, SearchOptions.DEFAULT, room);

      String at = "case %d, room %d: %s".formatted(seed, room, objective);
      List<Double> values =
          all.stream()
              .filter(plan -> meets(objective, plan))
              .map(plan -> plan.get(objective.target()))
              .sorted()
              .toList();
      assertThat(found.feasible()).as(at).isEqualTo(!values.isEmpty());
      if (!values.isEmpty()) {
        feasible++;
        approximate += found.statistics().epsilon() > 1e-9 ? 1 : 0;
        boolean maximize = objective.target() == Dimension.QUALITY;
        double reached = found.chosen().estimate().get(objective.target());
        double best = maximize ? values.getLast() : values.getFirst();
        double allowed = found.statistics().epsilon() * (maximize ? best : reached);
        assertThat(maximize ? best - reached : reached - best)
            .as(at)
            .isLessThanOrEqualTo(allowed + 1e-9);
      }
    }
    assertThat(feasible).isGreaterThan(CASES / 2);
    assertThat(approximate).isLessThan(feasible / 4);
  }

  private static Program program(String text, SplittableRandom random) {
    List<String> kinds = new ArrayList<>();
    for (String field : List.of("x", "n")) {
      boolean filter = random.nextInt(3) == 0;
      kinds.addAll(
          filter
              ? List.of("filter", "condition", "")
              : List.of("map", "instruction", ", writes: { %s: string }".formatted(field)));
    }
    return RandomPrograms.parse(text.formatted(kinds.toArray()));
  }

  private static Map<String, List<Candidate>> candidates(Program program, SplittableRandom random) {
    Map<String, List<Candidate>> candidates = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      List<Candidate> own = new ArrayList<>();
      boolean filter = operator.kind().equals("filter");
      for (int i = 0; i < 4; i++) {
        own.add(
            new Candidate(
                "p" + i,
                new OperatorEstimate(
                    random.nextDouble(0.3, 1),
                    Math.exp(random.nextDouble(-8, -2)),
                    Math.exp(random.nextDouble(-1, 2)),
                    filter ? random.nextDouble(0.2, 1) : 1)));
      }
      candidates.put(operator.id(), own);
    }
    return candidates;
  }

  /** Bounds a hair beyond what some plan reaches; estimates are rounded to 12 digits. */
  private static Objective objective(List<Estimate> plans, SplittableRandom random) {
    Dimension target = List.of(Dimension.values()).get(random.nextInt(3));
    List<Bound> bounds = new ArrayList<>();
    Estimate aimed = plans.get(random.nextInt(plans.size()));
    for (Dimension dimension : Dimension.values()) {
      if (dimension != target && random.nextInt(4) > 0) {
        double hair = random.nextInt(3) * 1e-4 + 1e-8;
        double value = aimed.get(dimension);
        boolean quality = dimension == Dimension.QUALITY;
        bounds.add(new Bound(dimension, quality ? value * (1 - hair) : value * (1 + hair)));
      }
    }
    return new Objective(target, bounds);
  }

  private static boolean meets(Objective objective, Estimate plan) {
    return objective.bounds().stream()
        .allMatch(bound -> bound.violation(plan.get(bound.dimension())) == 0);
  }

  private static void choose(
      Program program,
      Map<String, List<Candidate>> candidates,
      int position,
      Map<String, OperatorEstimate> chosen,
      List<Estimate> into) {
    if (position == program.operators().size()) {
      into.add(estimate(program, chosen));
      return;
    }
    String id = program.operators().get(position).id();
    List<Candidate> relational = List.of(new Candidate("none", OperatorEstimate.RELATIONAL));
    for (Candidate candidate : candidates.getOrDefault(id, relational)) {
      chosen.put(id, candidate.estimate());
      choose(program, candidates, position + 1, chosen, into);
    }
  }

  /** The documents that leave a node, and the time until then. */
  private record Node(double documents, double seconds) {}

  /** Equation 1. The operators of these programs cannot be exchanged for a better order. */
  private static Estimate estimate(Program program, Map<String, OperatorEstimate> chosen) {
    Map<String, Node> nodes = new HashMap<>();
    double quality = 1;
    double cost = 0;
    for (LogicalOperator operator : program.operators()) {
      OperatorEstimate own = chosen.getOrDefault(operator.id(), OperatorEstimate.RELATIONAL);
      double documents = 1;
      double start = 0;
      for (String input : operator.inputs()) {
        Node before = nodes.getOrDefault(input, new Node(1, 0));
        documents *= before.documents();
        start = Math.max(start, before.seconds());
      }
      if (operator.kind().equals("join") && operator.isPerDocument()) {
        documents /= nodes.getOrDefault("first", new Node(1, 0)).documents();
      }
      quality *= own.quality();
      cost += documents * own.cost();
      nodes.put(operator.id(), new Node(documents * own.selectivity(), start + own.latency()));
    }
    Node last = nodes.getOrDefault(program.operators().getLast().id(), new Node(0, 0));
    return new Estimate(quality, cost, last.seconds());
  }
}
