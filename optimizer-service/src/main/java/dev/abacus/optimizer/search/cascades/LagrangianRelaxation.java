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
 * How little loss in the target a subplan can still end in: its Lagrangian, plus the least that the
 * operators still to come can add to it, in any order and with any implementations. A lower limit
 * for every feasible plan that the subplan is part of, since feasible plans have nothing to pay for
 * bounds.
 *
 * <p>The least that is still to come is found by dynamic programming over the groups, from the
 * whole program down. It depends on how many documents leave the group, and as a function of that
 * it is concave (a minimum of sums of such functions); so it is kept at some nodes, and the chord
 * between two of them never exceeds it.
 */
final class LagrangianRelaxation {

  private final Lagrangian weights;

  /** Documents per source document, ascending. */
  private final double[] nodes;

  private final Map<GroupKey, double[]> remaining = new HashMap<>();
  private double[] bottom = new double[0];

  private LagrangianRelaxation(Lagrangian weights, double[] nodes) {
    this.weights = weights;
    this.nodes = nodes;
  }

  /**
   * The relaxation of a problem.
   *
   * @param explored a search that has explored all groups
   */
  static LagrangianRelaxation of(
      SearchProblem problem, CascadesSearch explored, Lagrangian weights) {
    LagrangianRelaxation relaxation = new LagrangianRelaxation(weights, nodes(problem, explored));
    List<Group> groups = new ArrayList<>(explored.groups());
    groups.sort((one, other) -> Integer.compare(size(other), size(one)));
    relaxation.remaining.put(explored.root().key(), new double[relaxation.nodes.length]);
    for (Group group : groups) {
      if (group.key().isEmpty()) {
        relaxation.bottom = relaxation.at(group.key());
      }
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

  /** The least loss in the target of any feasible plan. */
  double ofWholePlans() {
    return least(bottom, MetricVector.SOURCE);
  }

  /** {@link #least} of the subplans of one group. */
  Completion of(GroupKey group) {
    return new Completion(at(group));
  }

  /** The least that is still to come for the subplans of one group. */
  final class Completion {

    private final double[] remaining;

    private Completion(double[] remaining) {
      this.remaining = remaining;
    }

    /** The least loss in the target of a feasible plan with this subplan. */
    double least(double quality, double cost, double latency, double cardinality) {
      return lossOf(quality, cost, latency) + interpolate(remaining, cardinality);
    }

    /** Admits what can be part of a feasible plan with so much loss in the target at most. */
    Pruning upTo(double most) {
      return new LossAdmission(this, most);
    }
  }

  private final class LossAdmission implements Pruning {

    private final Completion completion;
    private final double most;

    LossAdmission(Completion completion, double most) {
      this.completion = completion;
      this.most = most;
    }

    @Override
    public Screen screen(List<MetricVector> perInput) {
      return new LossScreen(completion, perInput, most);
    }
  }

  /** Reckons the parts of a Lagrangian that the input or the implementation settles once. */
  private final class LossScreen implements Pruning.Screen {

    private final double[] remaining;
    private final double most;
    private final double[] fixed;
    private final double[] perDocument;
    private final double[] cardinalities;

    /** The least loss first, where implementations put out what they take in; otherwise empty. */
    private final int[] order;

    private double room;
    private double documents;
    private double left;

    LossScreen(Completion completion, List<MetricVector> perInput, double most) {
      this.remaining = completion.remaining;
      this.most = most;
      this.fixed = new double[perInput.size()];
      this.perDocument = new double[perInput.size()];
      this.cardinalities = new double[perInput.size()];
      for (int i = 0; i < fixed.length; i++) {
        MetricVector one = perInput.get(i);
        fixed[i] = fixedLoss(one);
        perDocument[i] = weights.cost() * one.cost();
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
    public void over(MetricVector subplan) {
      room = most - lossOf(subplan.quality(), subplan.cost(), subplan.latency());
      documents = subplan.cardinality();
      left = interpolate(remaining, documents);
    }

    @Override
    public boolean admits(int i) {
      double spent = fixed[i] + documents * perDocument[i];
      if (spent > room) {
        return false;
      }
      double further =
          cardinalities[i] == 1 ? left : interpolate(remaining, documents * cardinalities[i]);
      return spent + further <= room;
    }

    @Override
    public int admitted(int[] into) {
      int count = 0;
      if (documents == 1 && order.length > 0) {
        while (count < order.length && admits(order[count])) {
          into[count] = order[count];
          count++;
        }
        return count;
      }
      for (int i = 0; i < fixed.length; i++) {
        if (admits(i)) {
          into[count++] = i;
        }
      }
      return count;
    }
  }

  private double fixedLoss(MetricVector perInput) {
    double loss = weights.latency() * perInput.latency();
    return weights.quality() == 0
        ? loss
        : loss + weights.quality() * Losses.ofQuality(perInput.quality());
  }

  private double least(double[] above, MetricVector subplan) {
    return lossOf(subplan.quality(), subplan.cost(), subplan.latency())
        + interpolate(above, subplan.cardinality());
  }

  private double lossOf(double quality, double cost, double latency) {
    double loss = weights.cost() * cost + weights.latency() * latency - weights.constant();
    return weights.quality() == 0 ? loss : loss + weights.quality() * Losses.ofQuality(quality);
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
      double fixed = fixedLoss(perInput);
      double perDocument = weights.cost() * perInput.cost();
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

  /** From nothing to the most documents there can be; one node where there is always one. */
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
