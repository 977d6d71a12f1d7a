package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.Fanouts.Fanout;
import dev.abacus.schemas.control.OperatorFlow;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.StreamJoin;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The outputs of operators over several documents on the live stream. A decision uses the counts of
 * the latest change of a ratio by more than {@link #CHANGE}, so that it is not made anew with each
 * report.
 */
final class LiveFanouts {

  /** Relative change of outputs ÷ inputs that counts. */
  private static final double CHANGE = 0.05;

  /** Before this many inputs, their outputs say little. */
  private static final int LEAST_INPUTS = 20;

  /** The number of documents that a stated fan-out counts as. */
  private static final int STATED = 50;

  /** Jeffreys prior of a rate: this many outputs. */
  private static final double PRIOR = 0.5;

  private Map<String, OperatorFlow> used = Map.of();

  /**
   * Takes the present counts; returns whether {@link #byOperator} has changed.
   *
   * @param reported by operator, over all instances
   */
  boolean update(Map<String, OperatorFlow> reported) {
    Map<String, OperatorFlow> sums = new HashMap<>(reported);
    sums.values().removeIf(flow -> flow.inputs() < LEAST_INPUTS);
    if (sums.values().stream().noneMatch(flow -> isNew(flow, used.get(flow.operator())))) {
      return false;
    }
    used = Map.copyOf(sums);
    return true;
  }

  private static boolean isNew(OperatorFlow flow, @Nullable OperatorFlow before) {
    return before == null || Math.abs(ratio(flow) - ratio(before)) > CHANGE * ratio(before);
  }

  private static double ratio(OperatorFlow flow) {
    return flow.outputs() / (double) flow.inputs();
  }

  /** The counts that decisions use, by operator. */
  Map<String, OperatorFlow> byOperator() {
    return used;
  }

  /**
   * The fan-outs by these counts. Live documents replace a stated fan-out as they come.
   *
   * @param selectivity mean number of outputs of an operator in the plan that was counted
   */
  static Fanouts of(
      Program program,
      Map<String, OperatorFlow> flows,
      ToDoubleFunction<LogicalOperator> selectivity) {
    Map<String, Fanout> measured = new HashMap<>();
    for (LogicalOperator operator : program.operators()) {
      OperatorFlow flow = flows.get(operator.id());
      if (flow != null && !operator.isPerDocument()) {
        Double stated = operator.fanout();
        double weight = stated == null ? 0 : STATED;
        double inputs = weight + flow.inputs() / windows(operator);
        double outputs = (stated == null ? 0 : weight * stated) + flow.outputs();
        double scale = 1 / partners(operator, program, new Fanouts(measured), selectivity);
        measured.put(
            operator.id(),
            new Fanout(scale * outputs / inputs, scale * Math.sqrt(outputs + PRIOR) / inputs));
      }
    }
    return new Fanouts(measured);
  }

  /** An aggregate counts a document in each of its windows. */
  private static double windows(LogicalOperator operator) {
    return operator instanceof Aggregate aggregate ? aggregate.window().windowsPerDocument() : 1;
  }

  /**
   * The share of the second input's documents that reach a join. The cost model multiplies pairs by
   * it, and the counted pairs already contain it.
   */
  private static double partners(
      LogicalOperator operator,
      Program program,
      Fanouts fanouts,
      ToDoubleFunction<LogicalOperator> selectivity) {
    if (!(operator instanceof StreamJoin join)) {
      return 1;
    }
    List<LogicalOperator> all = program.operators();
    Set<String> right = new HashSet<>(BranchFields.upstream(join.inputs().get(1), all));
    right.removeAll(BranchFields.upstream(join.inputs().getFirst(), all));
    double share = 1;
    for (LogicalOperator other : all) {
      if (right.contains(other.id())) {
        share *= selectivity.applyAsDouble(other) * fanouts.of(other).mean();
      }
    }
    return share > 0 ? share : 1;
  }
}
