package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Bounds are exact if a program has two sides with more plans than a frontier keeps. */
class SidesUnderBoundsTest {

  private static final int IMPLEMENTATIONS = 600;

  private static final Program BRANCHES =
      RandomPrograms.parse(
          """
          program: sides
          sources: { docs: { topic: docs } }
          operators:
            - { map: left, input: docs, instruction: L., reads: [a], writes: { l: string } }
            - { map: right, input: docs, instruction: R., reads: [a], writes: { r: string } }
            - { join: both, input: left, with: right }
          results: { topic: out }
          """);

  @Test
  void aBoundAHairAboveTheCheapestPlanOfTwoBranchesIsMet() {
    Map<String, List<Candidate>> candidates =
        Map.of(
            "left", nonDominated(1),
            "right", nonDominated(2),
            "both", List.of(new Candidate("relational", OperatorEstimate.RELATIONAL)));
    double cheapest =
        candidates.values().stream().mapToDouble(own -> own.getFirst().estimate().cost()).sum();

    var found =
        NamedPlanSearch.search(
            BRANCHES,
            candidates,
            ObjectiveParser.parse("maximize quality subject to cost <= " + cheapest * 1.0001),
            SearchOptions.DEFAULT);

    assertThat(found.feasible()).isTrue();
    assertThat(found.chosen().estimate().cost()).isLessThanOrEqualTo(cheapest * 1.0001);
    assertThat(found.statistics().epsilon()).isZero();
  }

  /** Each implementation has more quality and a higher cost than the one before it. */
  private static List<Candidate> nonDominated(int scale) {
    List<Candidate> candidates = new ArrayList<>();
    for (int i = 0; i < IMPLEMENTATIONS; i++) {
      double share = i / (IMPLEMENTATIONS - 1.0);
      candidates.add(
          new Candidate(
              "p%03d".formatted(i),
              new OperatorEstimate(0.3 + 0.65 * share, scale * 1e-4 * Math.pow(1e4, share), 1, 1)));
    }
    return candidates;
  }
}
