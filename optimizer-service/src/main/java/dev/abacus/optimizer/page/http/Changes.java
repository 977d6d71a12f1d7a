package dev.abacus.optimizer.page.http;

import dev.abacus.optimizer.page.records.Cluster.ProgramRecords;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import io.javalin.http.BadRequestResponse;
import org.jspecify.annotations.Nullable;

/**
 * The control records that forms ask for. They are the same as those of the command line.
 *
 * @param record to write
 * @param done what it does, for the visitor
 */
record Changes(ControlRecord record, String done) {

  /**
   * Reads a form.
   *
   * @param action last part of the path
   * @param value the form's only field; null if it has none
   * @throws IllegalArgumentException if the value is invalid; the message says how to correct it
   */
  static Changes of(ProgramRecords records, String action, @Nullable String value) {
    String name = records.program().name();
    return switch (action) {
      case "objective" -> {
        var objective = ObjectiveParser.parse(value == null ? "" : value);
        yield new Changes(
            new ControlRecord.ObjectiveSet(name, objective), "Objective set: " + objective);
      }
      case "pause" -> new Changes(new ControlRecord.Paused(name, true), name + " is paused");
      case "resume" -> new Changes(new ControlRecord.Paused(name, false), name + " is resumed");
      case "rollback" -> activate(records, value, true);
      case "activate" -> activate(records, value, false);
      default -> throw new BadRequestResponse("There is no change '" + action + "'.");
    };
  }

  private static Changes activate(
      ProgramRecords records, @Nullable String value, boolean rollback) {
    String name = records.program().name();
    ControlRecord.Activated active = records.active();
    PhysicalPlan plan =
        value != null && value.matches("[1-9][0-9]{0,17}")
            ? records.plans().get(Long.valueOf(value))
            : null;
    if (plan == null || active == null) {
      throw new IllegalArgumentException("%s has no plan of epoch %s".formatted(name, value));
    }
    long epoch = plan.epoch();
    String banned = PlanCheck.examplesMistake(plan.choice(), records.program());
    if (banned != null) {
      throw new IllegalArgumentException(banned);
    }
    if (rollback && !Long.valueOf(epoch).equals(records.before())) {
      throw new IllegalArgumentException(
          "the plan has changed meanwhile: a rollback now returns to epoch " + records.before());
    }
    String reason = rollback ? "rolled back from epoch " + active.epoch() : "activated on the page";
    return new Changes(
        new ControlRecord.Activated(name, epoch, 1, reason, ControlRecord.USER),
        "Epoch %d is active for all new documents".formatted(epoch));
  }
}
