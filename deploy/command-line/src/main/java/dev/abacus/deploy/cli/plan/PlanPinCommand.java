package dev.abacus.deploy.cli.plan;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.ProgramCommand;
import dev.abacus.deploy.cluster.ControlState;
import dev.abacus.deploy.cluster.ControlTopic;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code abacus plan pin}. */
@Command(
    name = "pin",
    description = "Fix the implementation of an operator.",
    footer = "  abacus plan pin support-triage classify \"model-selection(gpt-4o)\"")
final class PlanPinCommand extends ProgramCommand {

  private static final int SHOWN = 8;

  @Parameters(index = "1", paramLabel = "OPERATOR", description = "Id of the operator.")
  private String operator = "";

  @Parameters(
      index = "2",
      paramLabel = "IMPLEMENTATION",
      description = "Implementation in the notation of `abacus plan show`.")
  private String implementation = "";

  @Override
  protected void run(Program applied, ControlTopic control, ControlState state) {
    String name = applied.name();
    PhysicalOperator physical = find(applied, program.catalogue());
    control.write(new ControlRecord.Pinned(name, operator, physical));
    output.data(
        Map.of("program", name, "operator", operator, "pinned", physical.id()),
        "%s: %s is pinned to %s".formatted(name, operator, physical.id()));
  }

  private PhysicalOperator find(Program applied, ModelCatalogue catalogue) {
    List<String> operators = applied.semanticOperators().stream().map(LogicalOperator::id).toList();
    CommandFailure.require(
        operators.contains(operator),
        NameSuggestions.unknown("operator", operator, operators),
        "Name an operator that a model carries out.");
    List<PhysicalOperator> space =
        SearchSpace.of(applied.withFewShot(true), catalogue).of(operator);
    for (PhysicalOperator candidate : space) {
      if (candidate.id().equals(implementation)) {
        String banned = PlanCheck.examplesMistake(candidate, applied);
        if (banned != null) {
          throw CommandFailure.invalid(banned, "Name another implementation.");
        }
        return candidate;
      }
    }
    List<String> ids = space.stream().map(PhysicalOperator::id).toList();
    String nearest = NameSuggestions.closest(implementation, ids);
    throw CommandFailure.invalid(
        "'%s' is not an implementation of %s".formatted(implementation, operator),
        nearest == null
            ? "There are for instance "
                + String.join(", ", ids.subList(0, Math.min(SHOWN, ids.size())))
            : "Did you mean '" + nearest + "'?");
  }
}
