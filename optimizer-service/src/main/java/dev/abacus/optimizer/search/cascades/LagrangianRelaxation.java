package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.LogicalExpression;
import dev.abacus.optimizer.search.memo.Memo;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.pareto.RowOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * A lower bound on the loss in the target of any feasible plan that contains a subplan: the
 * subplan's {@link Lagrangian}, plus the least that the missing operators can add, in any order and
 * with any implementations.
 *
 * <p>Dynamic programming over the groups, from the whole program down, finds the least that is
 * missing. It depends on the cardinality of the group and is a concave function of it (a minimum of
 * sums of linear functions). So it is stored at some nodes; the chord between two nodes never
 * exceeds it, and the result stays a lower bound.
 *
 * <p>For a subplan of one side, the other side and what is below a split are missing too. They are
 * bounded on their own: by their least Lagrangian and their least cardinality. Of the latencies of
 * two sides the longer one counts; it is at least their mean with {@link Parts weights}.
 */
final class LagrangianRelaxation {

  private final SearchProblem problem;
  private final Memo memo;
  private final Lagrangian lagrangian;
  private final Parts parts;

  /** Cardinalities (documents that leave a group per document that enters it), ascending. */
  private final double[] nodes;

  private final Map<Integer, List<Group>> chains = new HashMap<>();
  private final Map<GroupKey, double[]> remaining = new HashMap<>();

  /** By chain of a branch: the least number of documents per source document at the split. */
  private final Map<Integer, Double> reaching = new HashMap<>();

  private LagrangianRelaxation(CascadesSearch search, Lagrangian lagrangian, Parts parts) {
    this.problem = search.problem();
    this.memo = search.memo();
    this.lagrangian = lagrangian;
    this.parts = parts;
    this.nodes = nodes(problem, memo);
    List<Group> groups = new ArrayList<>(memo.groups());
    groups.sort((one, other) -> Integer.compare(other.key().size(), one.key().size()));
    for (Group group : groups) {
      chains.computeIfAbsent(group.key().chain(), _ -> new ArrayList<>()).add(group);
    }
  }

  /** Computes the relaxation of a problem. */
  static LagrangianRelaxation of(CascadesSearch search, Lagrangian lagrangian, Parts parts) {
    LagrangianRelaxation relaxation = new LagrangianRelaxation(search, lagrangian, parts);
    relaxation.remaining.put(search.memo().root().key(), new double[relaxation.nodes.length]);
    relaxation.reaching.put(ProgramGraph.MAIN, 1.0);
    relaxation.complete(ProgramGraph.MAIN);
    return relaxation;
  }

  /** A lower bound on the loss in the target of any feasible plan. */
  static double leastLoss(CascadesSearch search, Lagrangian lagrangian, Parts parts) {
    LagrangianRelaxation relaxation = new LagrangianRelaxation(search, lagrangian, parts);
    return relaxation.least(search.memo().root(), lagrangian) - lagrangian.constant();
  }

  /** Finds what is missing for the groups of a chain whose complete groups are known. */
  private void complete(int chain) {
    Lagrangian own = part(chain);
    for (Group group : chains.getOrDefault(chain, List.of())) {
      double[] above = at(remaining, group.key());
      for (LogicalExpression expression : group.expressions()) {
        descend(expression, above, remaining, own);
      }
    }
    Set<Integer> pairs = new TreeSet<>();
    for (Group group : chains.getOrDefault(chain, List.of())) {
      double[] above = at(remaining, group.key());
      for (LogicalExpression expression : group.expressions()) {
        Group branches = expression.branches();
        if (branches != null) {
          double below = least(expression.input(), own);
          double arriving = problem.leastCardinality(expression.input().key());
          lower(at(remaining, branches.key()), above, arriving, below);
          reaching.merge(
              branches.key().chain(), reaching.getOrDefault(chain, 1.0) * arriving, Math::min);
          pairs.add(branches.key().chain());
        } else if (!expression.input().sides().isEmpty()) {
          reaching.put(expression.input().key().chain(), 1.0);
          pairs.add(expression.input().key().chain());
        }
      }
    }
    pairs.forEach(this::divide);
  }

  /** Finds what is missing for both sides of the groups of two sides. */
  private void divide(int chain) {
    double arriving = reaching.getOrDefault(chain, 1.0);
    for (Group group : chains.getOrDefault(chain, List.of())) {
      double[] above = at(remaining, group.key());
      for (Group.Sides pair : group.sides()) {
        reaching.put(pair.left().key().chain(), arriving);
        reaching.put(pair.right().key().chain(), arriving);
        completeSide(pair.left(), pair.right(), above);
        completeSide(pair.right(), pair.left(), above);
      }
    }
    complete(chain + 1);
    complete(chain + 2);
  }

  private void completeSide(Group side, Group other, double[] above) {
    double beside = least(other, part(other.key().chain()));
    lower(at(remaining, side.key()), above, problem.leastCardinality(other.key()), beside);
  }

  /** Lowers values to those of another function with a factor and an addend. */
  private void lower(double[] values, double[] above, double factor, double added) {
    for (int node = 0; node < nodes.length; node++) {
      double value = added + interpolate(above, nodes[node] * factor);
      values[node] = Math.min(values[node], value);
    }
  }

  /** The Lagrangian of a chain's subplans. */
  private Lagrangian part(int chain) {
    return lagrangian.in(reaching.getOrDefault(chain, 1.0), parts.share(chain));
  }

  /** The least that complete plans of a group add, for one document at the start of its chain. */
  private double least(Group group, Lagrangian own) {
    return interpolate(through(group, new double[nodes.length], own), 1);
  }

  /**
   * The least that plans of a group add, and that follows.
   *
   * @param above what follows, by the number of documents that leave the group
   * @return by the number of documents at the start of the group's chain
   */
  private double[] through(Group top, double[] above, Lagrangian own) {
    Map<GroupKey, double[]> local = new HashMap<>();
    local.put(top.key(), above);
    double[] start = infinite();
    if (!top.sides().isEmpty()) {
      lower(start, pairs(top, above, own), 1, 0);
    }
    for (Group group : chains.getOrDefault(top.key().chain(), List.of())) {
      double[] at = local.get(group.key());
      if (at != null && group.key().isEmpty()) {
        lower(start, at, 1, 0);
      } else if (at != null) {
        for (LogicalExpression expression : group.expressions()) {
          descend(expression, at, local, own);
          Group input = expression.input();
          if (!input.sides().isEmpty()) {
            lower(start, pairs(input, at(local, input.key()), own), 1, 0);
          }
        }
      }
    }
    return start;
  }

  /**
   * The least that two sides add, and that follows. One side is followed in its cardinalities, the
   * other one is taken at its least; the better of both bounds holds.
   */
  private double[] pairs(Group group, double[] above, Lagrangian own) {
    double[] least = infinite();
    for (Group.Sides pair : group.sides()) {
      double weight = parts.left(group.key().chain());
      double[] one = beside(pair.left(), pair.right(), above, own, weight);
      double[] other = beside(pair.right(), pair.left(), above, own, 1 - weight);
      for (int node = 0; node < nodes.length; node++) {
        least[node] = Math.min(least[node], Math.max(one[node], other[node]));
      }
    }
    return least;
  }

  private double[] beside(
      Group followed, Group other, double[] above, Lagrangian own, double weight) {
    double[] thinned = infinite();
    lower(thinned, above, problem.leastCardinality(other.key()), 0);
    double[] sum = through(followed, thinned, own.in(1, weight));
    double[] alone = through(other, new double[nodes.length], own.in(1, 1 - weight));
    for (int node = 0; node < nodes.length; node++) {
      sum[node] += alone[node];
    }
    return sum;
  }

  /** The completion bound of the subplans of one group. */
  Completion of(GroupKey group) {
    return new Completion(at(remaining, group), part(group.chain()));
  }

  /** The least that the operators outside of a group add to its subplans. */
  final class Completion {

    private final double[] remaining;
    private final Lagrangian own;

    private Completion(double[] remaining, Lagrangian own) {
      this.remaining = remaining;
      this.own = own;
    }

    /** A lower bound on the loss in the target of a feasible plan with this subplan. */
    double least(double quality, double cost, double latency, double cardinality) {
      return own.of(quality, cost, latency) + interpolate(remaining, cardinality);
    }

    /** Keeps the subplans whose bound is at most {@code most}. */
    Pruning upTo(double most) {
      return perInput -> new LagrangianCheck(this, perInput, most);
    }
  }

  /** Computes once what depends on the input alone or on the implementation alone. */
  private final class LagrangianCheck implements Pruning.Check {

    private final Completion completion;
    private final double most;
    private final double[] fixed;
    private final double[] perDocument;
    private final double[] cardinalities;

    /** By loss, if every implementation has one output per input; otherwise empty. */
    private final int[] order;

    private double room;
    private double documents;
    private double left;

    LagrangianCheck(Completion completion, List<OperatorEstimate> perInput, double most) {
      this.completion = completion;
      this.most = most;
      this.fixed = new double[perInput.size()];
      this.perDocument = new double[perInput.size()];
      this.cardinalities = new double[perInput.size()];
      for (int i = 0; i < fixed.length; i++) {
        OperatorEstimate one = perInput.get(i);
        fixed[i] = completion.own.fixed(one);
        perDocument[i] = completion.own.perInput(one);
        cardinalities[i] = one.selectivity();
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
    public void next(OperatorEstimate subplan) {
      room = most - completion.own.of(subplan.quality(), subplan.cost(), subplan.latency());
      documents = subplan.selectivity();
      left = interpolate(completion.remaining, documents);
    }

    @Override
    public boolean keeps(int i) {
      double spent = fixed[i] + documents * perDocument[i];
      if (spent > room) {
        return false;
      }
      double further =
          cardinalities[i] == 1
              ? left
              : interpolate(completion.remaining, documents * cardinalities[i]);
      return spent + further <= room;
    }

    @Override
    public int kept(int[] into) {
      if (documents != 1 || order.length == 0) {
        return Pruning.Check.super.kept(into);
      }
      int count = 0;
      while (count < order.length && keeps(order[count])) {
        into[count] = order[count];
        count++;
      }
      return count;
    }
  }

  private double[] at(Map<GroupKey, double[]> values, GroupKey key) {
    return values.computeIfAbsent(key, _ -> infinite());
  }

  private double[] infinite() {
    double[] values = new double[nodes.length];
    Arrays.fill(values, Double.POSITIVE_INFINITY);
    return values;
  }

  /** Lowers the values of an expression's input to what the expression and what follows add. */
  private void descend(
      LogicalExpression expression,
      double[] above,
      Map<GroupKey, double[]> values,
      Lagrangian own) {
    double[] below = at(values, expression.input().key());
    if (expression.branches() != null) {
      lower(below, pairs(expression.branches(), above, own), 1, 0);
      return;
    }
    for (Candidate one : problem.implementations().get(expression.position())) {
      OperatorEstimate perInput = one.estimate();
      double fixed = own.fixed(perInput);
      double perDocument = own.perInput(perInput);
      for (int node = 0; node < nodes.length; node++) {
        double further =
            perInput.selectivity() == 1
                ? above[node]
                : interpolate(above, nodes[node] * perInput.selectivity());
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
    if (values[low] == Double.POSITIVE_INFINITY) {
      return values[low];
    }
    double share = (cardinality - nodes[low]) / (nodes[high] - nodes[low]);
    return values[low] + Math.min(1, share) * (values[high] - values[low]);
  }

  /** From 0 to the largest cardinality; a single node if every cardinality is 1. */
  private static double[] nodes(SearchProblem problem, Memo memo) {
    double most = 1;
    double least = 1;
    for (List<Candidate> all : problem.implementations()) {
      double dropping = 1;
      double expanding = 1;
      for (Candidate one : all) {
        dropping = Math.min(dropping, one.estimate().selectivity());
        expanding = Math.max(expanding, one.estimate().selectivity());
      }
      least *= dropping;
      most *= expanding;
    }
    if (least == 1 && most == 1) {
      return new double[] {1};
    }
    int count = memo.groups().size() > 300 ? 12 : 64;
    double[] nodes = new double[count + 1];
    double start = Math.max(least, most * 1e-6);
    for (int i = 0; i < count; i++) {
      nodes[1 + i] = start * Math.pow(most / start, i / (count - 1.0));
    }
    nodes[count] = most;
    if (problem.graph().hasSides() && most > 1) {
      // What one side adds is computed for one document.
      nodes = Arrays.copyOf(nodes, count + 2);
      nodes[count + 1] = 1;
      Arrays.sort(nodes);
    }
    return nodes;
  }
}
