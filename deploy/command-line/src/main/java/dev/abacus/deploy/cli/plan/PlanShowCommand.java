package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.SearchProgress;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.deploy.cluster.TopicReader;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code abacus plan show}. */
@Command(
    name = "show",
    description = "Show a plan with its estimate, bounds and frontier.",
    footer = "  abacus plan show support-triage 2")
public final class PlanShowCommand extends ProgramCommand {

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "EPOCH",
      description = "Epoch (default: the active one).")
  private @Nullable Long epoch;

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    PhysicalPlan plan = state.requirePlan(name, epoch);
    List<String> unavailable =
        SearchProgress.unavailableModels(TopicReader.status(program.connection()).optimizer(name));
    ControlRecord.Activated active = state.active(name);
    ObjectNode json = PlanReport.json(plan, active);
    unavailable.forEach(json.putArray("unavailableModels")::add);
    List<String> lines = PlanReport.lines(plan, active);
    lines.addAll(unavailable);
    output.data(json, lines);
  }
}
