package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.objective.Objective;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Collection;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The input of a policy.
 *
 * @param operators in program order
 * @param inDollars whether the budget is in dollars, so that a cheap sample leaves more of it
 * @param mixed whether two plans may share the keys, so that their mean has to keep the bounds
 * @param required probability, in (0, 1), with which bounds have to hold and differences are shown
 * @param stakes by which samples have to pay; null if the whole budget may be used
 */
@RecordBuilder
public record SamplingState(
    Objective objective,
    List<OperatorSamples> operators,
    boolean inDollars,
    boolean mixed,
    double required,
    @Nullable Stakes stakes)
    implements SamplingStateBuilder.With {

  /** This state as if some examples did not exist. */
  public SamplingState without(Collection<String> examples) {
    return map(operator -> operator.without(examples));
  }

  /** This state with each operator changed. */
  public SamplingState map(UnaryOperator<OperatorSamples> change) {
    return withOperators(operators.stream().map(change).toList());
  }
}
