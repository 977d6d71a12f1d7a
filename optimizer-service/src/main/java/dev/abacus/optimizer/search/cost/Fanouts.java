package dev.abacus.optimizer.search.cost;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.StreamJoin;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The number of outputs per document of operators that samples do not tell it of. These are the
 * operators over several documents, before their condition or model: groups of an aggregate,
 * documents that a limit passes, candidate pairs of a join of streams; their samples are groups and
 * pairs. A filter without a model has no samples.
 *
 * @param measured by operator, on the live stream; it replaces what the program states
 */
public record Fanouts(Map<String, Fanout> measured) {

  /** What programs state. */
  public static final Fanouts STATED = new Fanouts(Map.of());

  /**
   * A limit, or a filter in code, of unknown fan-out. Just below 1, so that of equal plans the one
   * is chosen in which fewer operators run before it.
   */
  private static final Fanout UNKNOWN = new Fanout(0.999, 0);

  private static final Fanout ONE = new Fanout(1, 0);

  /**
   * A mean number of outputs per document.
   *
   * @param deviation standard deviation of the mean
   */
  public record Fanout(double mean, double deviation) {

    public Fanout {
      if (!(mean >= 0 && mean < Double.POSITIVE_INFINITY && deviation >= 0)) {
        throw new IllegalArgumentException("fan-out %s ± %s".formatted(mean, deviation));
      }
    }
  }

  public Fanouts {
    measured = Map.copyOf(measured);
  }

  /**
   * The fan-out of an operator; 1 if it has none. An unknown fan-out of a limit or an aggregate is
   * the largest possible one; of a join it is 1.
   */
  public Fanout of(LogicalOperator operator) {
    Fanout live = measured.get(operator.id());
    if (live != null) {
      return live;
    }
    Double stated = operator.fanout();
    if (stated != null) {
      return new Fanout(stated, 0);
    }
    return switch (operator) {
      case Limit _ -> UNKNOWN;
      case SemanticFilter filter when filter.hasFanout() -> UNKNOWN;
      case Aggregate aggregate -> new Fanout(aggregate.window().windowsPerDocument(), 0);
      case LogicalOperator _ -> ONE;
    };
  }

  /**
   * Ids of the operators whose fan-out is neither stated nor measured and changes the cost: they or
   * an operator behind them need a model.
   *
   * @param operators of a plan, in order of execution
   */
  public List<String> unknown(List<LogicalOperator> operators) {
    return IntStream.range(0, operators.size())
        .filter(i -> isUnknown(operators.get(i)))
        .filter(i ->
            operators.subList(i, operators.size()).stream().anyMatch(LogicalOperator::isSemantic))
        .mapToObj(i -> operators.get(i).id())
        .toList();
  }

  private boolean isUnknown(LogicalOperator operator) {
    return operator.hasFanout()
        && operator.fanout() == null
        && !measured.containsKey(operator.id());
  }

  /**
   * The estimate of an operator per document that reaches it. A left join has at least one output
   * per left document.
   *
   * @param estimate per document, group or pair
   */
  public OperatorEstimate perDocument(LogicalOperator operator, OperatorEstimate estimate) {
    if (!operator.hasFanout()) {
      return estimate;
    }
    double fanout = of(operator).mean();
    double selectivity = estimate.selectivity() * fanout;
    return estimate
        .withCost(estimate.cost() * fanout)
        .withSelectivity(keepsAll(operator) ? Math.max(1, selectivity) : selectivity);
  }

  /** Whether each document of the first input has an output. */
  public static boolean keepsAll(LogicalOperator operator) {
    return operator instanceof StreamJoin join && join.joinKind() == JoinKind.LEFT;
  }
}
