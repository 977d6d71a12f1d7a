package dev.abacus.deploy.replay;

import dev.abacus.deploy.cluster.OperationFailedException;
import dev.abacus.optimizer.api.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanCheck;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The plan to try.
 *
 * @param program that the plan executes
 * @param notes how the plan was made, for the user
 */
public record Candidate(Program program, PhysicalPlan plan, List<String> notes) {

  public Candidate {
    notes = List.copyOf(notes);
  }

  /**
   * A published plan.
   *
   * @throws OperationFailedException if documents cannot be replayed one by one
   */
  public static Candidate of(Program program, PhysicalPlan plan) {
    requirePerDocument(program);
    return new Candidate(
        program,
        plan,
        plan.isTaught()
            ? List.of(
                "what live documents taught is left out: no classifier answers and no order of filters"
                    + " is a document's own, so the candidate costs more here than in force")
            : List.of());
  }

  /**
   * The plan in force with the operators of a changed program. An operator keeps its
   * implementation, unless it became another kind of operator, or the implementation has parameters
   * that were learnt for the operator as it was.
   *
   * @param changed with the sources and references of the program in force
   * @throws OperationFailedException if the changed program cannot be replayed
   */
  public static Candidate of(
      Program inForce, PhysicalPlan plan, Program changed, ModelCatalogue catalogue) {
    requirePerDocument(changed);
    if (!changed.name().equals(inForce.name())
        || !changed.sources().equals(inForce.sources())
        || !changed.references().equals(inForce.references())) {
      throw new OperationFailedException(
          "the program to try has another name, other sources or other references than '%s'"
              .formatted(inForce.name()),
          "Change operators only; other documents need `abacus apply` or a program of their own.");
    }
    List<String> notes = new ArrayList<>();
    Mixture mixture = plan.choice().mixture();
    if (mixture != null) {
      notes.add(
          "the plan in force is a mixture; the changed program runs by its plan for all keys but %s"
              .formatted(mixture.keys()));
    }
    SearchSpace all = SearchSpace.of(changed, catalogue);
    Map<String, PlanStep> known = new HashMap<>();
    plan.steps().forEach(step -> known.put(step.logical().id(), step));
    Function<LogicalOperator, PlanStep> step =
        operator -> {
          PlanStep before = known.get(operator.id());
          if (before != null && keeps(before, operator)) {
            return new PlanStep(operator, before.physical());
          }
          PhysicalOperator chosen = any(all.of(operator.id()), plan);
          if (operator.isSemantic()) {
            notes.add(
                "'%s' has no implementation in the plan in force; it runs as %s"
                    .formatted(operator.id(), chosen.id()));
          }
          return new PlanStep(operator, chosen);
        };
    boolean sameOperators =
        shape(changed).equals(shape(inForce)) && known.keySet().equals(shape(changed).keySet());
    List<PlanStep> steps =
        sameOperators
            ? plan.steps().stream()
                .map(old ->
                    step.apply(
                        Objects.requireNonNull(changed.operator(old.logical().id()))
                            .withInputs(old.logical().inputs())))
                .toList()
            : changed.operators().stream().map(step).toList();
    PhysicalPlan made =
        new PhysicalPlan(
            changed.name(),
            plan.epoch(),
            new PlanChoice(steps, plan.estimate()),
            changed.objective(),
            List.of());
    String mistake = PlanCheck.mistake(made, changed, model -> catalogue.find(model) != null);
    if (mistake != null) {
      throw new OperationFailedException(
          "no plan of the changed program can be made of the one in force: " + mistake,
          "Apply it; the optimizer finds a plan for it.");
    }
    return new Candidate(changed, made, notes);
  }

  private static Map<String, List<String>> shape(Program program) {
    Map<String, List<String>> inputs = new TreeMap<>();
    program.operators().forEach(operator -> inputs.put(operator.id(), operator.inputs()));
    return inputs;
  }

  private static boolean keeps(PlanStep before, LogicalOperator operator) {
    boolean learnt =
        before.physical() instanceof PhysicalOperator.Learnable learnable && learnable.isTrained();
    return before.logical().kind().equals(operator.kind())
        && (!learnt || before.logical().equals(operator));
  }

  /** The selection of the model that the plan calls most, or the first implementation. */
  private static PhysicalOperator any(List<PhysicalOperator> possible, PhysicalPlan plan) {
    Map<String, Long> models =
        plan.steps().stream()
            .flatMap(step -> step.physical().chatModels().stream())
            .collect(Collectors.groupingBy(Function.identity(), Collectors.counting()));
    return possible.stream()
        .filter(one -> one instanceof ModelSelection)
        .max(Comparator.comparingLong(one -> models.getOrDefault(one.chatModels().getFirst(), 0L)))
        .orElseGet(possible::getFirst);
  }

  private static void requirePerDocument(Program program) {
    Set<String> several =
        program.operators().stream()
            .filter(operator -> !operator.isPerDocument())
            .map(LogicalOperator::id)
            .collect(Collectors.toSet());
    if (!several.isEmpty()) {
      throw new OperationFailedException(
          "documents of '%s' cannot be replayed one by one: %s see several of them"
              .formatted(program.name(), several),
          "`abacus run` tries a program over several documents on a file of them.");
    }
  }

  /**
   * Whether a plan has the same operators and implementations in the same order, and nothing else
   * answers: with a classifier another answer is more than the noise of the models.
   */
  boolean isSame(PhysicalPlan other) {
    return plan.choice().hasStepsOf(other.choice()) && other.learned().isEmpty();
  }
}
