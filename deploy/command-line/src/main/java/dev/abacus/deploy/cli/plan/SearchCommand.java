package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ObjectiveText;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramOptions;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.optimizer.api.SearchJson;
import dev.abacus.optimizer.api.SearchSettings;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus search}. */
@Command(
    name = "search",
    description = {
      "Search the best plan for given estimates: Pareto-Cascades only, without Kafka and models.",
      "Estimates are JSON: {\"<operator>\": [{\"id\", \"quality\", \"cost\", \"latency\", \"selectivity\"}, …], …};",
      "cost in USD per input, latency in seconds, selectivity 1 unless given. For --explain also",
      "\"samples\": 12 and \"intervals\": {\"quality\": [0.8, 0.9], …}: confidence of an estimate."
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
  private @Nullable String objectiveText;

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
  private String ifInfeasible = "best-target";

  @Option(
      names = "--explain",
      description = "Show the price of each bound: the best plan without it.")
  private boolean explain;

  @Mixin private ProgramOptions programs = new ProgramOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    Program program = programs.read(programFile);
    Objective objective =
        objectiveText == null ? program.objective() : ObjectiveText.parse(objectiveText);
    SearchSettings settings = new SearchSettings(algorithm, costModel, ifInfeasible());
    ObjectNode report = search(program, ProgramOptions.text(estimatesFile), objective, settings);
    if (output.json()) {
      output.value(report);
    } else {
      print(report, objective);
    }
  }

  private SearchSettings.IfInfeasible ifInfeasible() {
    for (SearchSettings.IfInfeasible choice : SearchSettings.IfInfeasible.values()) {
      if (choice.label().equals(ifInfeasible.toLowerCase(Locale.ROOT))) {
        return choice;
      }
    }
    throw CommandFailure.invalid(
        "--if-infeasible is '" + ifInfeasible + "'", "Give best-target or least-violation.");
  }

  private ObjectNode search(
      Program program, String estimates, Objective objective, SearchSettings settings) {
    return CommandFailure.checked(
        estimatesFile,
        () ->
            explain
                ? SearchJson.explain(program, estimates, objective, settings)
                : SearchJson.search(program, estimates, objective, settings),
        "`abacus search --help` shows the form of estimates.");
  }

  private void print(ObjectNode report, Objective objective) {
    output.line(
        "%s: %s"
            .formatted(objective, report.path("feasible").asBoolean() ? "met" : "cannot be met"));
    report
        .path("violations")
        .properties()
        .forEach(
            entry -> output.line("  %s missed by %s".formatted(entry.getKey(), entry.getValue())));
    for (JsonNode bound : report.path("bounds")) {
      JsonNode best = bound.path("best");
      output.line(
          "  without %s: quality %s, cost $%s, latency %s s"
              .formatted(
                  bound.path("without").asText(),
                  number(best, "quality", "%.3f"),
                  number(best, "cost", "%.6f"),
                  number(best, "latency", "%.2f")));
    }
    if (explain) {
      sureness(report.path("sureness")).forEach(output::line);
    }
    Table table = new Table("", "quality", "cost USD", "latency s", "plan");
    JsonNode chosen = report.path("chosen");
    for (JsonNode plan : report.path("frontier")) {
      table.row(
          plan.equals(chosen) ? "*" : "",
          number(plan, "quality", "%.3f"),
          number(plan, "cost", "%.6f"),
          number(plan, "latency", "%.2f"),
          steps(plan));
    }
    table.lines().forEach(output::line);
    JsonNode statistics = report.path("statistics");
    output.line(
        "%d groups, %d expressions, %d rule applications, %s ms; no feasible plan is better by more than %.2g"
            .formatted(
                statistics.path("groups").asInt(),
                statistics.path("expressions").asInt(),
                statistics.path("rules").asInt(),
                number(statistics, "millis", "%.1f"),
                statistics.path("epsilon").asDouble()));
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

  private static String number(JsonNode node, String key, String format) {
    return String.format(Locale.ROOT, format, node.path(key).asDouble());
  }

  private static String steps(JsonNode plan) {
    return StreamSupport.stream(plan.path("operators").spliterator(), false)
        .map(step -> step.path("logical").asText() + "=" + step.path("physical").asText())
        .collect(Collectors.joining(" -> "));
  }
}
