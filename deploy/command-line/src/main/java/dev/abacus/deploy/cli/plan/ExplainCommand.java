package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.KafkaOptions;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.ProgramFile;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.SearchProgress;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.io.ProgramWriter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code abacus explain}. */
@Command(
    name = "explain",
    description =
        "Show the logical program; with --search-space, the number of implementations per "
            + "operator and rule; with --bootstrap-server, the chosen plan and the reason.",
    footer = "  abacus explain deploy/examples/support-triage/program.yaml --search-space")
public final class ExplainCommand implements Runnable {

  @Mixin private ProgramFile file = new ProgramFile();

  @Option(names = "--search-space", description = "Count implementations per operator and rule.")
  private boolean searchSpace;

  @Mixin private KafkaOptions kafka = new KafkaOptions();
  @Mixin private Output output = new Output();

  @Override
  public void run() {
    ModelCatalogue catalogue = file.catalogue();
    Program program = file.read();
    SearchSpace space =
        searchSpace
            ? CommandFailure.checked(
                () -> SearchSpace.of(program, catalogue),
                "Name chat models of the catalogue under 'models'.")
            : null;
    PhysicalPlan plan = null;
    ControlRecord.Activated active = null;
    List<String> unavailable = List.of();
    if (kafka.isGiven()) {
      unavailable =
          SearchProgress.unavailableModels(
              TopicReader.status(kafka.connection()).optimizer(program.name()));
      ControlState state = kafka.control(catalogue).read();
      plan = state.plan(program.name(), null);
      active = state.active(program.name());
      if (plan == null) {
        output.note(program.name() + " has no active plan there");
      }
    }
    ObjectNode json = json(program, space);
    List<String> lines = lines(program, space);
    if (plan != null) {
      json.set("plan", PlanReport.json(plan, active));
      lines.add("");
      lines.addAll(PlanReport.lines(plan, active));
    }
    unavailable.forEach(json.putArray("unavailableModels")::add);
    lines.addAll(unavailable);
    output.data(json, lines);
  }

  private static ObjectNode json(Program program, @Nullable SearchSpace space) {
    ObjectNode answer = JsonNodeFactory.instance.objectNode().put("program", program.name());
    for (Source source : program.sources()) {
      if (source.redaction() != null) {
        answer
            .withObjectProperty("redact")
            .set(source.name(), ProgramWriter.write(source.redaction()));
      }
    }
    var operators = answer.putArray("operators");
    for (LogicalOperator operator : program.operators()) {
      ObjectNode node =
          operators
              .addObject()
              .put("id", operator.id())
              .put("kind", operator.kind())
              .put("input", operator.input());
      operator.inputs().forEach(node.putArray("inputs")::add);
      operator.reads().forEach(node.putArray("reads")::add);
      operator.writtenFields().forEach(node.putArray("writes")::add);
      if (space != null) {
        node.put("implementations", space.of(operator.id()).size());
        node.put("implementationsOfPaper", space.ofPaper(operator.id()).size());
        ObjectNode rules = node.putObject("rules");
        space.rules(operator.id()).forEach((rule, found) -> rules.put(rule, found.size()));
      }
    }
    answer.set("objective", Json.tree(program.objective()));
    return answer;
  }

  private static List<String> lines(Program program, @Nullable SearchSpace space) {
    List<String> lines = new ArrayList<>();
    lines.add(program.name() + ": " + program.objective());
    for (Source source : program.sources()) {
      lines.add(
          "source %s: topic %s, %s, key %s%s"
              .formatted(
                  source.name(),
                  source.topic(),
                  source.format().label(),
                  source.key(),
                  source.redaction() == null ? "" : "; hides " + source.redaction()));
    }
    Table operators = new Table("operator", "kind", "reads", "writes");
    for (LogicalOperator operator : program.operators()) {
      operators.row(
          operator.id(),
          operator.kind(),
          operator.reads().isEmpty() ? "all fields" : shortened(operator.reads()),
          shortened(operator.writtenFields()));
    }
    operators.lines().forEach(line -> lines.add("  " + line));
    lines.add(
        "results: topic %s, %s"
            .formatted(program.results().topic(), program.results().format().label()));
    if (space != null) {
      lines.add("");
      addSpace(lines, program, space);
    }
    return lines;
  }

  private static void addSpace(List<String> lines, Program program, SearchSpace space) {
    Table table = new Table("operator", "rule", "implementations");
    double plans = 1;
    for (LogicalOperator operator : program.operators()) {
      space
          .rules(operator.id())
          .forEach((rule, found) -> table.row(operator.id(), rule, found.size()));
      table.row(operator.id(), "all", space.of(operator.id()).size());
      table.row(operator.id(), "the paper's", space.ofPaper(operator.id()).size());
      plans *= Math.max(1, space.of(operator.id()).size());
    }
    lines.addAll(table.lines());
    lines.add("%.0f combinations, before reordering".formatted(plans));
  }

  private static String shortened(List<String> fields) {
    return fields.size() <= MOST_FIELDS
        ? String.join(", ", fields)
        : String.join(", ", fields.subList(0, MOST_FIELDS - 1))
            + " and %d more".formatted(fields.size() - MOST_FIELDS + 1);
  }

  private static final int MOST_FIELDS = 6;
}
