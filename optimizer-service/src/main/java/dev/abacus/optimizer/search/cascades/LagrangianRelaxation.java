package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.optimizer.search.pareto.RowOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A lower bound on the loss in the target of any feasible plan that contains a subplan: the
 * subplan's {@link Lagrangian}, plus the least that the missing operators can add, in any order and
 * with any implementations.
 *
 * <p>Dynamic programming over the groups, from the whole program down, finds the least that is
 * missing. It depends on the cardinality of the group and is a concave function of it (a minimum of
 * sums of linear functions). So it is stored at some nodes; the chord between two nodes never
 * exceeds it, and the result stays a lower bound.
 */
final class LagrangianRelaxation {

  private final Lagrangian lagrangian;

  /** Cardinalities (documents per source document), ascending. */
  private final double[] nodes;

  private final Map<GroupKey, double[]> remaining = new HashMap<>();

  private LagrangianRelaxation(Lagrangian lagrangian, double[] nodes) {
    this.lagrangian = lagrangian;
    this.nodes = nodes;
  }

  /**
   * Computes the relaxation of a problem.
   *
   * @param explored a search that has explored all groups
   */
  static LagrangianRelaxation of(
      SearchProblem problem, CascadesSearch explored, Lagrangian lagrangian) {
    LagrangianRelaxation relaxation =
        new LagrangianRelaxation(lagrangian, nodes(problem, explored));
    List<Group> groups = new ArrayList<>(explored.groups());
    groups.sort((one, other) -> Integer.compare(size(other), size(one)));
    relaxation.remaining.put(explored.root().key(), new double[relaxation.nodes.length]);
    for (Group group : groups) {
      double[] above = relaxation.at(group.key());
      for (LogicalExpression expression : explored.worthImplementing(group)) {
        relaxation.descend(
            above,
            relaxation.at(expression.input().key()),
            explored.implementations(expression.position()));
      }
    }
    return relaxation;
  }

  private static int size(Group group) {
    return group.key().operators().cardinality();
  }

  /** The completion bound of the subplans of one group. */
  Completion of(GroupKey group) {
    return new Completion(at(group));
  }

  /** The least that the operators outside of a group add to its subplans. */
  final class Completion {

    private final double[] remaining;

    private Completion(double[] remaining) {
      this.remaining = remaining;
    }

    /** A lower bound on the loss in the target of a feasible plan with this subplan. */
    double least(double quality, double cost, double latency, double cardinality) {
      return lagrangian.of(quality, cost, latency) + interpolate(remaining, cardinality);
    }

    /** Keeps the subplans whose bound is at most {@code most}. */
    Pruning upTo(double most) {
      return new LagrangianPruning(this, most);
    }
  }

  private final class LagrangianPruning implements Pruning {

    private final Completion completion;
    private final double most;

    LagrangianPruning(Completion completion, double most) {
      this.completion = completion;
      this.most = most;
    }

    @Override
    public Check check(List<MetricVector> perInput) {
      return new LagrangianCheck(completion, perInput, most);
    }
  }

  /** Computes once what depends on the input alone or on the implementation alone. */
  private final class LagrangianCheck implements Pruning.Check {

    private final double[] remaining;
    private final double most;
    private final double[] fixed;
    private final double[] perDocument;
    private final double[] cardinalities;

    /** By loss, if every implementation has one output per input; otherwise empty. */
    private final int[] order;

    private double room;
    private double documents;
    private double left;

    LagrangianCheck(Completion completion, List<MetricVector> perInput, double most) {
      this.remaining = completion.remaining;
      this.most = most;
      this.fixed = new double[perInput.size()];
      this.perDocument = new double[perInput.size()];
      this.cardinalities = new double[perInput.size()];
      for (int i = 0; i < fixed.length; i++) {
        MetricVector one = perInput.get(i);
        fixed[i] = lagrangian.fixed(one);
        perDocument[i] = lagrangian.perInput(one);
        cardinalities[i] = one.cardinality();
      }
      this.order = order();
    }

    private int[] order() {
      double[] losses = new double[fixed.length];
      for (int i = 0; i < losses.length; i++) {
        if (cardinalities[i] != 1) {
          return new int[0];
        }
        losses[i] = fixed[i] + perDocument[i];
      }
      return RowOrder.of(losses);
    }

    @Override
    public void next(MetricVector subplan) {
      room = most - lagrangian.of(subplan.quality(), subplan.cost(), subplan.latency());
      documents = subplan.cardinality();
      left = interpolate(remaining, documents);
    }

    @Override
    public boolean keeps(int i) {
      double spent = fixed[i] + documents * perDocument[i];
      if (spent > room) {
        return false;
      }
      double further =
          cardinalities[i] == 1 ? left : interpolate(remaining, documents * cardinalities[i]);
      return spent + further <= room;
    }

    @Override
    public int kept(int[] into) {
      int count = 0;
      if (documents == 1 && order.length > 0) {
        while (count < order.length && keeps(order[count])) {
          into[count] = order[count];
          count++;
        }
        return count;
      }
      for (int i = 0; i < fixed.length; i++) {
        if (keeps(i)) {
          into[count++] = i;
        }
      }
      return count;
    }
  }

  private double[] at(GroupKey key) {
    double[] known = remaining.get(key);
    if (known == null) {
      known = new double[nodes.length];
      Arrays.fill(known, Double.POSITIVE_INFINITY);
      remaining.put(key, known);
    }
    return known;
  }

  private void descend(
      double[] above, double[] below, List<SearchProblem.Implementation> implementations) {
    for (SearchProblem.Implementation one : implementations) {
      MetricVector perInput = one.perInput();
      double fixed = lagrangian.fixed(perInput);
      double perDocument = lagrangian.perInput(perInput);
      for (int node = 0; node < nodes.length; node++) {
        double further =
            perInput.cardinality() == 1
                ? above[node]
                : interpolate(above, nodes[node] * perInput.cardinality());
        below[node] = Math.min(below[node], fixed + perDocument * nodes[node] + further);
      }
    }
  }

  private double interpolate(double[] values, double cardinality) {
    int low = 0;
    int high = nodes.length - 1;
    if (high == 0) {
      return values[0];
    }
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (nodes[middle] <= cardinality) {
        low = middle;
      } else {
        high = middle;
      }
    }
    double share = (cardinality - nodes[low]) / (nodes[high] - nodes[low]);
    return values[low] + Math.min(1, share) * (values[high] - values[low]);
  }

  /** From 0 to the largest cardinality; a single node if every cardinality is 1. */
  private static double[] nodes(SearchProblem problem, CascadesSearch explored) {
    double most = 1;
    double least = 1;
    for (List<SearchProblem.Implementation> all : problem.implementations()) {
      double dropping = 1;
      double expanding = 1;
      for (SearchProblem.Implementation one : all) {
        dropping = Math.min(dropping, one.perInput().cardinality());
        expanding = Math.max(expanding, one.perInput().cardinality());
      }
      least *= dropping;
      most *= expanding;
    }
    if (least == 1 && most == 1) {
      return new double[] {1};
    }
    int count = explored.groups().size() > 300 ? 12 : 64;
    double[] nodes = new double[count + 1];
    double start = Math.max(least, most * 1e-6);
    for (int i = 0; i < count; i++) {
      nodes[1 + i] = start * Math.pow(most / start, i / (count - 1.0));
    }
    nodes[count] = most;
    return nodes;
  }
}
