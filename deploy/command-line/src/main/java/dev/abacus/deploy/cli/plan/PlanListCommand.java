package dev.abacus.deploy.cli.plan;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cli.report.PlanReport;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.kafka.Json;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;

/** {@code abacus plan list}. */
@Command(
    name = "list",
    description = "List the plans of a program by epoch; the active one is marked.",
    footer = "  abacus plan list support-triage -o json")
final class PlanListCommand extends ProgramCommand {

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    ControlRecord.Activated active = state.active(name);
    PhysicalPlan marked = active == null ? null : state.plans(name).get(active.epoch());
    ArrayNode plans = JsonNodeFactory.instance.arrayNode();
    Table table =
        new Table("", "epoch", "quality", "cost USD", "latency s", "objective", "bounds", "plan");
    for (PhysicalPlan plan : state.plans(name).values()) {
      plans
          .addObject()
          .put("epoch", plan.epoch())
          .put("active", plan.equals(marked))
          .put("feasible", plan.feasible())
          .put("standing", plan.standing().word())
          .put("quality", plan.estimate().quality())
          .put("cost", plan.estimate().cost())
          .put("latency", plan.estimate().latency())
          .set("objective", Json.tree(plan.objective()));
      table.row(
          plan.equals(marked) ? "*" : "",
          plan.epoch(),
          PlanReport.quality(plan.estimate()),
          PlanReport.cost(plan.estimate()),
          PlanReport.latency(plan.estimate()),
          plan.objective(),
          plan.objective().bounds().isEmpty() ? "" : plan.standing().word(),
          PlanReport.beside(plan.choice(), marked == null ? null : marked.choice()));
    }
    List<String> lines = new ArrayList<>();
    if (table.isEmpty()) {
      lines.add(name + " has no plan yet; `abacus status " + name + "` shows the search");
    } else {
      lines.addAll(table.lines());
      if (active != null) {
        lines.add(
            "%s, by %s: %s".formatted(PlanReport.activation(active), active.by(), active.reason()));
      }
    }
    output.data(plans, lines);
  }
}
