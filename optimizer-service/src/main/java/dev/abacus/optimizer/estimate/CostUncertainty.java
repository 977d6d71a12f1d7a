package dev.abacus.optimizer.estimate;

import dev.abacus.optimizer.estimate.RandomEffect.Kind;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The error of the cost of a plan. The cost of each operator weighs by the documents that reach it,
 * and an error of a number of outputs changes the cost of all operators behind it.
 */
public final class CostUncertainty {

  private CostUncertainty() {}

  /**
   * The error of the cost of steps that run one after the other, in USD per source document, to
   * first order.
   *
   * @param chain beliefs of the implementations in execution order
   */
  public static Loadings error(List<Belief> chain) {
    List<BitSet> before = new ArrayList<>();
    for (int i = 0; i < chain.size(); i++) {
      BitSet all = new BitSet();
      all.set(0, i);
      before.add(all);
    }
    return error(chain, before);
  }

  /**
   * The error of the cost of a plan, likewise. A step with several inputs makes all steps name
   * theirs; a step depends on those upstream alone.
   *
   * @param beliefs null for operators without a model
   */
  public static Loadings error(
      List<PlanStep> plan, Function<PlanStep, @Nullable Belief> beliefs, Fanouts fanouts) {
    boolean named = plan.stream().anyMatch(step -> step.logical().inputs().size() > 1);
    List<Belief> links = new ArrayList<>();
    List<BitSet> before = new ArrayList<>();
    Map<String, BitSet> upTo = new HashMap<>();
    BitSet last = new BitSet();
    for (PlanStep step : plan) {
      BitSet at = named ? new BitSet() : last;
      if (named) {
        step.logical().inputs().forEach(id -> at.or(upTo.getOrDefault(id, new BitSet())));
      }
      for (Belief link : links(step.logical(), beliefs.apply(step), fanouts)) {
        before.add((BitSet) at.clone());
        at.set(links.size());
        links.add(link.orUnknown());
      }
      upTo.put(step.logical().id(), at);
    }
    return error(links, before);
  }

  /**
   * @param before by step: the steps whose outputs reach it
   */
  private static Loadings error(List<Belief> steps, List<BitSet> before) {
    double[] behind = new double[steps.size()];
    Loadings error = Loadings.NONE;
    for (int i = 0; i < steps.size(); i++) {
      double cost = steps.get(i).mean().cost();
      error = error.plus(steps.get(i).cost().times(cost * reaching(steps, before.get(i), i)));
      for (int other : before.get(i).stream().toArray()) {
        behind[other] += cost * reaching(steps, before.get(i), other);
      }
    }
    for (int i = 0; i < behind.length; i++) {
      error = error.plus(steps.get(i).outputs().times(behind[i]));
    }
    return error;
  }

  /** The product of the outputs of steps but for one. */
  private static double reaching(List<Belief> steps, BitSet before, int except) {
    return before.stream()
        .filter(i -> i != except)
        .mapToDouble(i -> steps.get(i).mean().selectivity())
        .reduce(1, (one, other) -> one * other);
  }

  /**
   * A step as two links of a chain: its fan-out, then its implementation.
   *
   * @param belief null if the operator needs no model
   */
  private static List<Belief> links(
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
