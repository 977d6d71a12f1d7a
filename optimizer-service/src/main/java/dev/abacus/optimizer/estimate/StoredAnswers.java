package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the answer store leaves of the cost and the latency of live documents. Samples do not use
 * the store, so their cost and latency are those of documents whose calls are all made.
 *
 * @param byOperator the operators of whose requests the store answers some
 */
public record StoredAnswers(Map<String, Remainder> byOperator) {

  static final Remainder ALL = new Remainder(null, 1, 1, 0);

  /**
   * The remaining part of an operator.
   *
   * @param implementation id of the one whose requests were counted; null if none is active
   * @param cost part of the cost, in (0, 1]
   * @param latency part of the latency, in (0, 1]
   * @param deviation standard deviation of the logarithm of either part
   */
  public record Remainder(
      @Nullable String implementation, double cost, double latency, double deviation) {

    /** An estimate of a document whose calls are all made as that of a live document. */
    public OperatorEstimate of(OperatorEstimate estimate) {
      return estimate.withCost(cost * estimate.cost()).withLatency(latency * estimate.latency());
    }

    /** The error of the logarithm of the cost and the latency of an operator. */
    public Loadings error(String operator) {
      return Loadings.of(new RandomEffect(Kind.REUSE, operator, ""), deviation);
    }
  }

  /**
   * What remains of an implementation. The same documents repeat for all implementations of an
   * operator, but a batch repeats only as a whole, and a mixture that calls above temperature 0 is
   * stored only if the settings say so: their part is known only if they were counted.
   */
  public Remainder of(String operator, PhysicalOperator physical) {
    Remainder counted = byOperator.get(operator);
    return counted == null
            || physical.chatModels().isEmpty()
            || (repeatsSeldom(physical) && !physical.id().equals(counted.implementation()))
        ? ALL
        : counted;
  }

  private static boolean repeatsSeldom(PhysicalOperator physical) {
    return physical.documentsPerCall() > 1
        || (physical instanceof MixtureOfAgents mixture && mixture.temperature() > 0);
  }

  /**
   * The cost of a plan if all calls are made ÷ its cost with the store; at least 1.
   *
   * @param beliefs with the store; null for operators without a model
   */
  public double withoutStore(
      List<PlanStep> plan, Function<PlanStep, @Nullable Belief> beliefs, Fanouts fanouts) {
    Map<String, OperatorEstimate> with = new HashMap<>();
    Map<String, OperatorEstimate> without = new HashMap<>();
    for (PlanStep step : plan) {
      String id = step.logical().id();
      Belief belief = beliefs.apply(step);
      OperatorEstimate estimate =
          fanouts.perDocument(
              step.logical(), belief == null ? OperatorEstimate.RELATIONAL : belief.mean());
      with.put(id, estimate);
      without.put(id, estimate.withCost(estimate.cost() / of(id, step.physical()).cost()));
    }
    List<LogicalOperator> operators = plan.stream().map(PlanStep::logical).toList();
    double cost = CostModel.SELECTIVITY.estimate(operators, with).cost();
    return cost > 0 ? CostModel.SELECTIVITY.estimate(operators, without).cost() / cost : 1;
  }
}
