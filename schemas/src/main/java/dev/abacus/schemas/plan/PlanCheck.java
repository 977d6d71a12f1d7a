package dev.abacus.schemas.plan;

import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.Stages;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks that a plan processes documents as a program says. Anybody may write to the control topic,
 * so both planes check a plan before they use it.
 */
public final class PlanCheck {

  private final PhysicalPlan plan;
  private final Program program;

  private PlanCheck(PhysicalPlan plan, Program program) {
    this.plan = plan;
    this.program = program;
  }

  /**
   * Returns the first mistake of a plan, or null if it has none: it contains every operator of the
   * program exactly once, in an order that keeps the program's meaning, each with a technique that
   * may execute it and with known chat models.
   */
  public static @Nullable String mistake(
      PhysicalPlan plan, Program program, Predicate<String> knownModel) {
    PlanCheck check = new PlanCheck(plan, program);
    return Stream.<Supplier<@Nullable String>>of(
            check::operators,
            check::order,
            check::inputs,
            check::mixture,
            () -> check.techniques(knownModel))
        .map(Supplier::get)
        .filter(Objects::nonNull)
        .findFirst()
        .orElse(null);
  }

  /**
   * Returns why a plan must not be published, or null if it may: the plan or its frontier contains
   * labelled examples, and the program keeps them out of prompts and plans.
   */
  public static @Nullable String examplesMistake(PhysicalPlan plan, Program program) {
    return plan.showsExamples() ? examplesMistake("the plan", program) : null;
  }

  /** Returns why the steps of a plan must not be activated, or null if they may. */
  public static @Nullable String examplesMistake(PlanChoice choice, Program program) {
    return choice.showsExamples() ? examplesMistake("the plan", program) : null;
  }

  /** Returns why an operator must not be pinned to an implementation, or null if it may. */
  public static @Nullable String examplesMistake(PhysicalOperator pinned, Program program) {
    return pinned.examples() > 0 ? examplesMistake("'" + pinned.id() + "'", program) : null;
  }

  private static @Nullable String examplesMistake(String what, Program program) {
    return program.validation().fewShot()
        ? null
        : ("%s shows labelled examples, which are kept out of prompts of '%s' "
                + "(validation.fewShot of the program, or optimizer.few.shot and abacus.few.shot)")
            .formatted(what, program.name());
  }

  private @Nullable String operators() {
    if (!plan.program().equals(program.name())) {
      return "it is a plan of program '" + plan.program() + "'";
    }
    Set<String> planned = new HashSet<>();
    for (PlanStep step : plan.steps()) {
      String id = step.logical().id();
      LogicalOperator operator = program.operator(id);
      if (operator == null) {
        return "program '%s' has no operator '%s'".formatted(program.name(), id);
      }
      if (!operator.kind().equals(step.logical().kind())
          || !operator.writtenFields().equals(step.logical().writtenFields())) {
        return "its operator '%s' differs from that of the program".formatted(id);
      }
      if (!planned.add(id)) {
        return "it contains the operator '" + id + "' more than once";
      }
    }
    Set<String> missing = new TreeSet<>();
    program.operators().forEach(operator -> missing.add(operator.id()));
    missing.removeAll(planned);
    return missing.isEmpty() ? null : "it lacks the operators " + missing;
  }

  /** Every exchange of neighbours that leads to the plan's order must keep the meaning. */
  private @Nullable String order() {
    List<PlanStep> steps = plan.steps();
    for (int i = 0; i < steps.size(); i++) {
      LogicalOperator earlier = operator(steps.get(i));
      Set<String> inputs = BranchFields.upstream(earlier.id(), program.operators());
      for (int j = i + 1; j < steps.size(); j++) {
        LogicalOperator later = operator(steps.get(j));
        if (inputs.contains(later.id())
            && !isBeforeSplit(later, earlier)
            && !mayBeExchanged(earlier, later)) {
          return "'%s' must run after '%s'".formatted(earlier.id(), later.id());
        }
      }
    }
    return null;
  }

  /**
   * The inputs that the steps name must keep the meaning. Filters and operators that a rule of the
   * optimizer moves may have another place. Every merge and every operator over several documents
   * gets the same branches, with the same writers.
   */
  private @Nullable String inputs() {
    List<LogicalOperator> planned = plan.steps().stream().map(PlanStep::logical).toList();
    if (planned.stream().allMatch(one -> one.inputs().equals(inputsOf(one.id())))) {
      return null;
    }
    List<LogicalOperator> ordered;
    try {
      ordered = Stages.ordered(planned);
    } catch (IllegalArgumentException e) {
      return e.getMessage();
    }
    Set<String> nodes = new HashSet<>();
    program.sources().forEach(source -> nodes.add(source.name()));
    for (LogicalOperator operator : ordered) {
      if (operator.inputs().size() != inputsOf(operator.id()).size()
          || !nodes.containsAll(operator.inputs())) {
        return "'%s' cannot read %s".formatted(operator.id(), operator.inputs());
      }
      nodes.add(operator.id());
    }
    for (LogicalOperator operator : ordered) {
      boolean alone = operator.isPerDocument() && operator.inputs().size() == 1;
      for (int side = 0; side < operator.inputs().size(); side++) {
        Set<String> now = writers(operator, side, ordered);
        LogicalOperator own = Objects.requireNonNull(program.operator(operator.id()));
        Set<String> before = writers(own, side, program.operators());
        if (alone ? !before.containsAll(now) : !now.equals(before)) {
          return "'%s' must not read '%s'".formatted(operator.id(), operator.inputs().get(side));
        }
      }
    }
    return null;
  }

  private List<String> inputsOf(String id) {
    return Objects.requireNonNull(program.operator(id)).inputs();
  }

  /**
   * The operators from which the fields of an input come, and the sources; without those that may
   * have another place. For a merge, those of this branch alone.
   */
  private Set<String> writers(LogicalOperator reader, int side, List<LogicalOperator> operators) {
    Set<String> writers =
        new HashSet<>(BranchFields.upstream(reader.inputs().get(side), operators));
    if (reader instanceof Merge) {
      writers.removeAll(BranchFields.upstream(reader.inputs().get(1 - side), operators));
    }
    for (LogicalOperator operator : program.operators()) {
      boolean dropsOnly =
          operator.isPerDocument()
              && operator.writtenFields().isEmpty()
              && !(operator instanceof Project);
      boolean moves =
          reader instanceof Limit limit
              ? limit.mayPass(operator)
              : reader instanceof StreamJoin join && join.mayFollow(operator);
      boolean exchanged = reader.isPerDocument() && mayBeExchanged(reader, operator);
      boolean limits = operator instanceof Limit limit && limit.mayPass(reader);
      if (dropsOnly || moves || exchanged || limits) {
        writers.remove(operator.id());
      }
    }
    return writers;
  }

  /** Whether an operator precedes both branches of a merge, so that the merge may pass it. */
  private boolean isBeforeSplit(LogicalOperator operator, LogicalOperator merge) {
    return merge instanceof Merge
        && merge.inputs().stream()
            .allMatch(
                input -> BranchFields.upstream(input, program.operators()).contains(operator.id()));
  }

  private LogicalOperator operator(PlanStep step) {
    return Objects.requireNonNull(program.operator(step.logical().id()));
  }

  /** Whether {@code one}, which the program states behind {@code other}, may run before it. */
  private static boolean mayBeExchanged(LogicalOperator one, LogicalOperator other) {
    if (one instanceof Project && other instanceof Project) {
      return true;
    }
    if (other instanceof StreamJoin join) {
      return join.mayFollow(one);
    }
    if (one instanceof Limit limit) {
      return limit.mayPass(other);
    }
    if (other instanceof Merge) {
      // The merge itself reads and writes nothing; one must pass the operators of both branches.
      return one.isPerDocument() && !(one instanceof Project);
    }
    if (one instanceof Project project) {
      return project.keepsFieldsOf(other);
    }
    return other instanceof Project project
        ? project.keepsFieldsOf(one)
        : one.isIndependentOf(other);
  }

  /** Documents of two plans must be told apart to the end. */
  private @Nullable String mixture() {
    Mixture mixture = plan.choice().mixture();
    if (mixture == null) {
      return null;
    }
    List<LogicalOperator> others = mixture.plan().steps().stream().map(PlanStep::logical).toList();
    if (!others.equals(plan.steps().stream().map(PlanStep::logical).toList())) {
      return "the two plans of its mixture have different operators";
    }
    return others.stream()
        .filter(operator -> !operator.isPerDocument())
        .findFirst()
        .map(
            operator -> "it is a mixture, and '%s' sees several documents".formatted(operator.id()))
        .orElse(null);
  }

  private @Nullable String techniques(Predicate<String> knownModel) {
    for (PlanStep step : plan.choice().allSteps()) {
      if (!fits(operator(step), step.physical())) {
        return "'%s' cannot be executed by %s".formatted(step.logical().id(), step.physical().id());
      }
      for (String model : step.physical().chatModels()) {
        if (!knownModel.test(model)) {
          return "the model '%s' of '%s' is unknown".formatted(model, step.logical().id());
        }
      }
    }
    return null;
  }

  /** The data plane reports other combinations that it cannot execute as an unusable plan. */
  private static boolean fits(LogicalOperator operator, PhysicalOperator technique) {
    return operator.isSemantic() != technique instanceof Relational
        && operator instanceof TopK == technique instanceof TopKSearch
        && operator instanceof SemanticRank == technique instanceof PhysicalOperator.Ranking
        && operator instanceof EntityResolution == technique instanceof PhysicalOperator.Resolution;
  }
}
