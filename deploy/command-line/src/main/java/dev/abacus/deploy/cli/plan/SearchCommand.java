package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.optimizer.api.ProgramEstimates;
import dev.abacus.optimizer.api.SearchReport;
import dev.abacus.optimizer.api.SearchSettings;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus search}. */
@Command(
    name = "search",
    description = {
      "Search the best plan for given estimates: Pareto-Cascades only, without Kafka and "
          + "models.",
      "Estimates are JSON: {\"<operator>\": [{\"id\", \"quality\", \"cost\", \"latency\", "
          + "\"selectivity\"}, …], …}; cost in USD per input, latency in seconds, selectivity 1 "
          + "unless given. For --explain also \"samples\": 12 and \"intervals\": {\"quality\": "
          + "[0.8, 0.9], …}: confidence of an estimate."
    },
    footer = "  abacus search --program program.yaml --estimates estimates.json -o json")
public final class SearchCommand implements Runnable {

  @Option(
      names = "--program",
      required = true,
      paramLabel = "P.yaml",
      description = "Program file.")
  private Path programFile = Path.of("");

  @Option(
      names = "--estimates",
      required = true,
      paramLabel = "E.json",
      description = "Estimates file.")
  private Path estimatesFile = Path.of("");

  @Option(
      names = "--objective",
      paramLabel = "OBJECTIVE",
      description = "Objective instead of the program's.")
  private @Nullable Objective wanted;

  @Option(
      names = "--algorithm",
      defaultValue = "pareto",
      description = "pareto, greedy or cascades (default: ${DEFAULT-VALUE}).")
  private SearchSettings.Algorithm algorithm = SearchSettings.Algorithm.PARETO;

  @Option(
      names = "--cost-model",
      defaultValue = "selectivity",
      description = "selectivity or paper (default: ${DEFAULT-VALUE}).")
  private SearchSettings.CostModel costModel = SearchSettings.CostModel.SELECTIVITY;

  @Option(
      names = "--if-infeasible",
      defaultValue = "best-target",
      description =
          "Choice if no plan meets every bound: best-target or least-violation (default: ${DEFAULT-VALUE}).")
  private SearchSettings.IfInfeasible ifInfeasible = SearchSettings.IfInfeasible.BEST_TARGET;

  @Option(
      names = "--explain",
      description = "Show the price of each bound: the best plan without it.")
  private boolean explain;

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = programs.read(programFile);
    Objective objective = wanted == null ? program.objective() : wanted;
    SearchReport report = search(program, ProgramOptions.text(estimatesFile), objective);
    output.data(report, lines(report, objective));
  }

  private SearchReport search(Program program, String estimates, Objective objective) {
    SearchSettings settings = new SearchSettings(algorithm, costModel, ifInfeasible);
    return CommandFailure.checked(
        estimatesFile,
        () -> {
          ProgramEstimates read = ProgramEstimates.read(estimates, program);
          return explain ? read.explain(objective, settings) : read.search(objective, settings);
        },
        "`abacus search --help` shows the form of estimates.");
  }

  private static List<String> lines(SearchReport report, Objective objective) {
    List<String> lines = new ArrayList<>();
    lines.add("%s: %s".formatted(objective, report.feasible() ? "met" : "cannot be met"));
    report
        .violations()
        .forEach((dimension, by) -> lines.add("  %s missed by %s".formatted(dimension, by)));
    if (report.bounds() != null) {
      for (SearchReport.WithoutBound bound : report.bounds()) {
        lines.add(
            "  without %s: %s"
                .formatted(bound.without(), PlanReport.expected(bound.best().estimate())));
      }
    }
    if (report.sureness() != null) {
      lines.addAll(sureness(report.sureness()));
    }
    Table table = new Table("", "quality", "cost USD", "latency s", "plan");
    for (SearchReport.Plan plan : report.frontier()) {
      table.row(
          plan.equals(report.chosen()) ? "*" : "",
          PlanReport.quality(plan.estimate()),
          PlanReport.cost(plan.estimate()),
          PlanReport.latency(plan.estimate()),
          plan.operators().stream()
              .map(step -> step.logical() + "=" + step.physical())
              .collect(Collectors.joining(" -> ")));
    }
    lines.addAll(table.lines());
    SearchReport.Statistics statistics = report.statistics();
    lines.add(
        String.format(
            Locale.ROOT,
            "%d groups, %d expressions, %d rule applications, %.1f ms; no feasible plan is better by more than %.2g",
            statistics.groups(),
            statistics.expressions(),
            statistics.rules(),
            statistics.millis(),
            statistics.epsilon()));
    return lines;
  }

  private static List<String> sureness(JsonNode sureness) {
    if (sureness.isEmpty()) {
      return List.of(
          "  how sure the estimates are is not said: 'samples' and 'intervals' are missing");
    }
    List<String> lines = new ArrayList<>();
    for (Map.Entry<String, JsonNode> of : sureness.properties()) {
      StringBuilder line = new StringBuilder("  how sure: " + of.getKey());
      if (of.getValue().has("samples")) {
        line.append(", %d samples".formatted(of.getValue().path("samples").asLong()));
      }
      for (Map.Entry<String, JsonNode> interval : of.getValue().path("intervals").properties()) {
        line.append(
            ", %s %s to %s"
                .formatted(
                    interval.getKey(), interval.getValue().path(0), interval.getValue().path(1)));
      }
      lines.add(line.toString());
    }
    return lines;
  }
}
