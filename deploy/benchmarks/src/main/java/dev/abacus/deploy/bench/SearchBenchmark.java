package dev.abacus.deploy.bench;

import dev.abacus.optimizer.cascades.NamedPlanSearch;
import dev.abacus.optimizer.cascades.NamedSearchResult;
import dev.abacus.optimizer.cascades.SearchOptions;
import dev.abacus.optimizer.cost.Candidate;
import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Format;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Ordering;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Results;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Source;
import dev.abacus.schemas.program.Validation;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.function.ToDoubleFunction;

/**
 * Times Pareto-Cascades alone. Every repetition has estimates of its own, seeded by its number;
 * bounds are 30 % of the way from the cheapest plan to the one of the best candidates.
 */
final class SearchBenchmark {

  private static final double TIGHTNESS = 0.3;
  private static final double MEGABYTE = 1 << 20;

  private final int repetitions;
  private final Consumer<String> progress;

  /** What is searched. */
  enum Workload {
    FIVE_MAPS("5 maps x 505, 1 bound", 5, 0, 505, false),
    SEVEN_MAPS_THREE_FILTERS("7 maps + 3 filters x 1014, 2 bounds", 7, 3, 1014, true),
    TWENTY_MAPS("20 maps x 3000, 1 bound", 20, 0, 3000, false);

    private final String label;
    private final int maps;
    private final int filters;
    private final int candidates;
    private final boolean threeMetrics;

    Workload(String label, int maps, int filters, int candidates, boolean threeMetrics) {
      this.label = label;
      this.maps = maps;
      this.filters = filters;
      this.candidates = candidates;
      this.threeMetrics = threeMetrics;
    }
  }

  SearchBenchmark(int repetitions, Consumer<String> progress) {
    this.repetitions = repetitions;
    this.progress = progress;
  }

  List<SearchReportLine> run() {
    List<SearchReportLine> lines = new ArrayList<>();
    for (Workload workload : Workload.values()) {
      for (SearchEstimates family : SearchEstimates.values()) {
        progress.accept("%s, %s estimates".formatted(workload.label, family.label()));
        lines.add(measure(workload, family));
      }
    }
    return lines;
  }

  private SearchReportLine measure(Workload workload, SearchEstimates family) {
    Program program = program(workload);
    List<Double> wall = new ArrayList<>();
    List<Double> cpu = new ArrayList<>();
    List<NamedSearchResult> results = new ArrayList<>();
    double heap = 0;
    for (int repetition = 0; repetition <= repetitions; repetition++) {
      Map<String, List<Candidate>> estimates =
          family.draw(
              program,
              workload.candidates,
              workload.threeMetrics,
              new SplittableRandom(repetition + 1L));
      Objective objective = objective(estimates, workload.threeMetrics);
      long started = System.nanoTime();
      long startedCpu = cpuNanos();
      results.add(NamedPlanSearch.search(program, estimates, objective, SearchOptions.DEFAULT));
      cpu.add((cpuNanos() - startedCpu) / 1e6);
      wall.add((System.nanoTime() - started) / 1e6);
      Runtime runtime = Runtime.getRuntime();
      heap = Math.max(heap, (runtime.totalMemory() - runtime.freeMemory()) / MEGABYTE);
    }
    double first = wall.removeFirst();
    cpu.removeFirst();
    return new SearchReportLine(
        workload.label,
        family.label(),
        first,
        median(wall),
        wall.stream().max(Comparator.naturalOrder()).orElse(first),
        median(cpu),
        worst(results, result -> result.statistics().epsilon()),
        worst(results, result -> result.statistics().frontierEpsilon()),
        (int) median(results.stream().map(result -> (double) result.frontier().size()).toList()),
        results.stream().allMatch(NamedSearchResult::feasible),
        Math.round(heap));
  }

  private static Objective objective(Map<String, List<Candidate>> estimates, boolean threeMetrics) {
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

  private static double worst(
      List<NamedSearchResult> results, ToDoubleFunction<NamedSearchResult> epsilon) {
    return results.stream().mapToDouble(epsilon).max().orElse(0);
  }

  private static double median(List<Double> values) {
    List<Double> sorted = values.stream().sorted().toList();
    return sorted.isEmpty() ? 0 : sorted.get(sorted.size() / 2);
  }

  private static long cpuNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  private static Program program(Workload workload) {
    List<LogicalOperator> operators = new ArrayList<>();
    String input = "documents";
    for (int i = 0; i < workload.maps + workload.filters; i++) {
      String id = "o" + i;
      operators.add(
          i < workload.maps
              ? new SemanticMap(id, input, "Do it.", List.of("text"), List.of(field(id)))
              : new SemanticFilter(id, input, "It is.", List.of("o" + (i - workload.maps))));
      input = id;
    }
    return new Program(
        "search-benchmark",
        List.of(new Source("documents", "documents", Format.JSON, "id")),
        List.of(),
        operators,
        new Results("results", Format.JSON),
        Objective.MAXIMIZE_QUALITY,
        null,
        null,
        new Validation("search-benchmark.validation", Map.of()),
        List.of(),
        Program.DEFAULT_JUDGE,
        Ordering.KEY);
  }

  private static Field field(String name) {
    return new Field(name, new FieldType.Text(List.of()), "", false);
  }
}
