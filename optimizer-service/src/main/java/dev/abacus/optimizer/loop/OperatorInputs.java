package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.sampler.Sample;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What every operator would read on every validation example: the example's document with the
 * outputs of the operators upstream, of each the best by mean quality so far that gave one on this
 * example (ties by id).
 *
 * <p>A filter that drops the document does not starve what comes after it: there the document goes
 * on all the same, as soon as one implementation of the filter answered at all.
 */
final class OperatorInputs {

  private static final OperatorInput BARRED = new OperatorInput.Barred();
  private static final OperatorInput FOREIGN = new OperatorInput.Foreign();

  private final ProgramView view;
  private final Map<String, Map<String, OperatorInput>> known = new HashMap<>();
  private final Map<String, List<PhysicalOperator>> ranking = new HashMap<>();

  OperatorInputs(ProgramView view) {
    this.view = view;
  }

  OperatorInput of(LogicalOperator operator, String exampleId) {
    Map<String, OperatorInput> byExample =
        known.computeIfAbsent(operator.id(), _ -> new HashMap<>());
    OperatorInput input = byExample.get(exampleId);
    if (input == null) {
      input = find(operator, exampleId);
      byExample.put(exampleId, input);
    }
    return input;
  }

  private OperatorInput find(LogicalOperator operator, String exampleId) {
    ValidationExample example = view.example(exampleId);
    if (example == null) {
      return FOREIGN;
    }
    Program program = view.program();
    LogicalOperator upstream = program.operator(operator.input());
    if (upstream == null) {
      return example.source().equals(operator.input())
          ? new OperatorInput.Ready(example.document())
          : FOREIGN;
    }
    OperatorInput input = of(upstream, exampleId);
    return input instanceof OperatorInput.Ready(Document document)
        ? output(upstream, exampleId, document)
        : input;
  }

  private OperatorInput output(LogicalOperator operator, String exampleId, Document input) {
    return switch (operator) {
      case Project project -> new OperatorInput.Ready(input.only(project.fields()));
      case SemanticFilter filter -> {
        Observation best = best(filter, exampleId);
        yield best == null ? missing(filter, exampleId) : new OperatorInput.Ready(input);
      }
      case LogicalOperator other when !other.isSemantic() -> new OperatorInput.Ready(input);
      case LogicalOperator other -> {
        Observation best = best(other, exampleId);
        yield best == null
            ? missing(other, exampleId)
            : new OperatorInput.Ready(input.with(best.outputs().getFirst()));
      }
    };
  }

  /** The answer of the best implementation that gave a usable one. */
  private @Nullable Observation best(LogicalOperator operator, String exampleId) {
    Map<String, Map<String, Sample>> samples = view.samples(operator);
    for (PhysicalOperator arm : ranked(operator)) {
      if (samples.getOrDefault(arm.id(), Map.of()).get(exampleId)
              instanceof Sample.Observed(Observation observation)
          && usable(operator, observation)) {
        return observation;
      }
    }
    return null;
  }

  private static boolean usable(LogicalOperator operator, Observation observation) {
    return observation.outcome() != Observation.Outcome.FAILED
        && (operator instanceof SemanticFilter || !observation.outputs().isEmpty());
  }

  /** Tried in vain; also where the operator never answered on any example, and hardly will. */
  private OperatorInput missing(LogicalOperator operator, String exampleId) {
    boolean tried =
        view.samples(operator).values().stream()
            .anyMatch(byExample -> byExample.containsKey(exampleId));
    List<PhysicalOperator> arms = ranked(operator);
    boolean hopeless = !arms.isEmpty() && PlanChooser.answering(view, operator).isEmpty();
    return tried || hopeless ? BARRED : new OperatorInput.Wanting(operator);
  }

  /**
   * The implementation to try first where only an output is needed.
   *
   * @throws java.util.NoSuchElementException if the operator has no implementation
   */
  PhysicalOperator bestArm(LogicalOperator operator) {
    List<PhysicalOperator> arms = ranked(operator);
    return arms.isEmpty() ? view.arms(operator).getFirst() : arms.getFirst();
  }

  private List<PhysicalOperator> ranked(LogicalOperator operator) {
    return ranking.computeIfAbsent(operator.id(), _ -> view.armsByQuality(operator));
  }
}
