package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The error of the cost of a plan. The cost of each operator weighs by the documents that reach it,
 * and an error of a number of outputs changes the cost of all operators behind it.
 */
public final class CostUncertainty {

  private CostUncertainty() {}

  /**
   * The error of the cost of a plan in USD per source document, to first order.
   *
   * @param chain beliefs of the implementations in execution order
   */
  public static Loadings error(List<Belief> chain) {
    Loadings error = Loadings.NONE;
    double reaching = 1;
    for (int i = 0; i < chain.size(); i++) {
      Belief step = chain.get(i);
      double behind =
          CostModel.chain(chain.subList(i + 1, chain.size()).stream().map(Belief::mean).toList())
              .cost();
      error =
          error
              .plus(step.cost().times(reaching * step.mean().cost()))
              .plus(step.outputs().times(reaching * behind));
      reaching *= step.mean().selectivity();
    }
    return error;
  }

  /**
   * A step as two links of a chain: its fan-out, then its implementation.
   *
   * @param belief null if the operator needs no model
   */
  public static List<Belief> links(
      LogicalOperator operator, @Nullable Belief belief, Fanouts fanouts) {
    Belief own = belief == null ? Belief.certain(OperatorEstimate.RELATIONAL, 1) : belief;
    if (!operator.hasFanout()) {
      return List.of(own);
    }
    Fanouts.Fanout fanout = fanouts.of(operator);
    double least = Fanouts.keepsAll(operator) && fanout.mean() > 0 ? 1 / fanout.mean() : 0;
    OperatorEstimate mean = own.mean();
    Loadings outputs =
        Loadings.of(new RandomEffect(Kind.OUTPUTS, operator.id(), "fan-out"), fanout.deviation());
    return List.of(
        new Belief(
            new OperatorEstimate(1, 0, 0, fanout.mean()),
            own.samples(),
            Loadings.NONE,
            Loadings.NONE,
            Loadings.NONE,
            outputs),
        own.withMean(mean.withSelectivity(Math.max(least, mean.selectivity()))));
  }
}
