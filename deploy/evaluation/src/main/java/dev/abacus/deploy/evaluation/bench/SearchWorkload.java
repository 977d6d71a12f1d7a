package dev.abacus.deploy.evaluation.bench;

import static dev.abacus.schemas.program.builder.FieldBuilder.string;

import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cascades.NamedSearchResult;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.builder.ProgramBuilder;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.ToDoubleFunction;

/**
 * Search workloads: programs with independent maps, and filters that read one map each. The
 * objective maximizes quality. Each bound is 30 % of the way from the cheapest plan to the plan of
 * the best candidates.
 */
public enum SearchWorkload {
  FIVE_MAPS("5 maps x 505, 1 bound", 5, 0, 505, false),
  SEVEN_MAPS_THREE_FILTERS("7 maps + 3 filters x 1014, 2 bounds", 7, 3, 1014, true),
  TWENTY_MAPS("20 maps x 3000, 1 bound", 20, 0, 3000, false);

  private static final double TIGHTNESS = 0.3;

  private final String label;
  private final int maps;
  private final int filters;
  private final int candidates;
  private final boolean threeMetrics;

  SearchWorkload(String label, int maps, int filters, int candidates, boolean threeMetrics) {
    this.label = label;
    this.maps = maps;
    this.filters = filters;
    this.candidates = candidates;
    this.threeMetrics = threeMetrics;
  }

  /** Returns the name in reports. */
  String label() {
    return label;
  }

  /** Draws one search of this workload with estimates of the given family. */
  SearchCase draw(SearchEstimates family, long seed) {
    Program program = program();
    Map<String, List<Candidate>> estimates =
        family.draw(program, candidates, threeMetrics, new SplittableRandom(seed));
    return new SearchCase(program, estimates, objective(estimates));
  }

  private Objective objective(Map<String, List<Candidate>> estimates) {
    List<Bound> bounds = new ArrayList<>();
    bounds.add(new Bound(Dimension.COST, between(estimates, OperatorEstimate::cost)));
    if (threeMetrics) {
      bounds.add(new Bound(Dimension.LATENCY, between(estimates, OperatorEstimate::latency)));
    }
    return new Objective(Dimension.QUALITY, bounds);
  }

  private static double between(
      Map<String, List<Candidate>> estimates, ToDoubleFunction<OperatorEstimate> amount) {
    double least = 0;
    double best = 0;
    for (List<Candidate> own : estimates.values()) {
      least +=
          own.stream().mapToDouble(one -> amount.applyAsDouble(one.estimate())).min().orElse(0);
      best +=
          own.stream()
              .max(Comparator.comparingDouble(one -> one.estimate().quality()))
              .map(one -> amount.applyAsDouble(one.estimate()))
              .orElse(0.0);
    }
    return least + TIGHTNESS * (best - least);
  }

  private Program program() {
    ProgramBuilder program =
        ProgramBuilder.program("search-benchmark")
            .source("documents", "documents")
            .results("results");
    for (int i = 0; i < maps + filters; i++) {
      String id = "o" + i;
      String reads = i < maps ? "text" : "o" + (i - maps);
      if (i < maps) {
        program.map(id, map -> map.instruction("Do it.").reads(reads).writes(string(id)));
      } else {
        program.filter(id, filter -> filter.condition("It is.").reads(reads));
      }
    }
    return program.build();
  }

  /**
   * A search with its inputs.
   *
   * @param estimates candidates by logical operator id
   */
  record SearchCase(Program program, Map<String, List<Candidate>> estimates, Objective objective) {

    NamedSearchResult search() {
      return NamedPlanSearch.search(program, estimates, objective, SearchOptions.DEFAULT);
    }
  }
}
