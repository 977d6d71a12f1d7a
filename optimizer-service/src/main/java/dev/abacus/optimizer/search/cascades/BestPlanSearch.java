package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.ProgramGraph;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.DoubleAccumulator;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best feasible plan if frontiers exceed their limits: branch and bound over the same
 * groups. Groups keep only subplans that can still lead to a better plan than the best known one,
 * by the lower bound of a {@link LagrangianRelaxation}. With many implementations per operator, the
 * bound is so tight that few subplans remain.
 *
 * <p>If more subplans remain than fit, groups keep those with the least bounds (a beam). The beam
 * is widened until the answer is proven optimal or close enough. The least bound of a dropped
 * subplan limits the error of the answer.
 *
 * <p>Bounds of the objective are exact: feasibility is decided by a plan's own metrics, and a
 * subplan of a feasible plan is dropped only by the beam.
 */
record BestPlanSearch(ParetoSearch pareto, Objective objective) {

  private static final int[] BEAMS = {100, 400, 1500, 5000};

  /** Relative error of the target that ends the search after each beam. */
  private static final double[] CLOSE = {1e-6, 1e-6, 1e-5, 1e-4};

  private static final double ROUNDING = 1e-12;

  /** The beam of a group of one side is not wider, because each side is combined with the other. */
  private static final int LARGEST_SIDE = 1500;

  /** Number of steps between the weights that are tried for each side. */
  private static final int STEPS = 16;

  /**
   * The result of a search.
   *
   * @param plan the best feasible plan found, or null if there is none
   * @param loss lower bound on the loss in the target of a feasible plan; infinite if none exists
   */
  record Answer(@Nullable Subplan plan, double loss) {

    /**
     * The largest possible relative error of the plan's value in the target; 0 if it is proven
     * optimal.
     */
    double epsilon(Dimension target) {
      if (plan == null) {
        return loss == Double.POSITIVE_INFINITY ? 0 : Double.POSITIVE_INFINITY;
      }
      double value = plan.metrics().get(Metric.of(target));
      double excess = Lagrangian.loss(target, value) - loss;
      if (excess <= 0 || (value == 0 && target != Dimension.QUALITY)) {
        return 0;
      }
      if (loss == Double.NEGATIVE_INFINITY) {
        return 1;
      }
      return target == Dimension.QUALITY ? -Math.expm1(-excess) : Math.min(1, excess / value);
    }
  }

  /** The best feasible plan of a frontier; certain if the frontier is exact. */
  Answer among(GroupFrontier frontier) {
    Subplan plan = best(frontier.subplans());
    if (frontier.error() > 0) {
      return new Answer(plan, Double.NEGATIVE_INFINITY);
    }
    return new Answer(plan, plan == null ? Double.POSITIVE_INFINITY : loss(plan));
  }

  /** The best feasible plan of a list; null if none is feasible. */
  @Nullable Subplan best(List<Subplan> plans) {
    return plans.stream()
        .filter(plan -> PlanSelection.isFeasible(objective, plan))
        .min(Comparator.comparingDouble(this::loss).thenComparing(Subplan.ORDER))
        .orElse(null);
  }

  /**
   * Searches with wider and wider beams.
   *
   * @param known a feasible plan to start from, or null
   */
  Answer search(@Nullable Subplan known) {
    Answer answer = new Answer(known, Double.NEGATIVE_INFINITY);
    for (int round = 0; round < BEAMS.length; round++) {
      answer = round(answer.plan(), Math.min(BEAMS[round], pareto.most()));
      if (answer.epsilon(objective.target()) <= CLOSE[round]) {
        break;
      }
    }
    return answer;
  }

  private Answer round(@Nullable Subplan known, int beam) {
    Parts parts = parts(known);
    Lagrangian lagrangian = lagrangian(known, parts);
    LagrangianRelaxation relaxation = LagrangianRelaxation.of(pareto.search(), lagrangian, parts);
    double least = known == null ? Double.POSITIVE_INFINITY : loss(known);
    // Subtracting and adding the constant of the Lagrangian leaves a rounding error.
    double rounding = ROUNDING * (lagrangian.constant() + (known == null ? 0 : least)) + 1e-15;
    double most = least + rounding;
    DoubleAccumulator dropped = new DoubleAccumulator(Math::min, Double.POSITIVE_INFINITY);
    CascadesSearch.Frontiers frontiers =
        pareto.search().implement(key -> frontier(key, relaxation.of(key), most, beam, dropped));
    List<Subplan> plans = new ArrayList<>(frontiers.whole().subplans());
    if (known != null) {
      plans.add(known);
    }
    Subplan best = best(plans);
    double loss = best == null ? Double.POSITIVE_INFINITY : loss(best);
    return new Answer(best, Math.min(dropped.get() - rounding, loss));
  }

  /** The frontier of a group in one round. */
  private GroupFrontier frontier(
      GroupKey key,
      LagrangianRelaxation.Completion completion,
      double most,
      int beam,
      DoubleAccumulator dropped) {
    SearchProblem problem = pareto.search().problem();
    return new ParetoGroupFrontier(
        problem.metrics(key),
        problem.boundPruning(key, objective.bounds()).and(completion.upTo(most)),
        new BeamLimit(
            Metric.columns(problem.metrics(key)),
            completion,
            problem.leastCardinality(key),
            key.chain() == ProgramGraph.MAIN ? beam : Math.min(beam, LARGEST_SIDE),
            dropped));
  }

  private double loss(Subplan plan) {
    return Lagrangian.loss(objective.target(), plan.metrics().get(Metric.of(objective.target())));
  }

  /** The weights of sides with the greatest lower bound. */
  private Parts parts(@Nullable Subplan known) {
    ProgramGraph graph = pareto.search().problem().graph();
    Parts parts = Parts.halves(graph);
    if (!objective.dimensions().contains(Dimension.LATENCY)) {
      return parts;
    }
    for (int position = 0; position < graph.operators().size(); position++) {
      if (!graph.contents(position).isEmpty()) {
        parts = parts.with(position, weight(parts, position, known));
      }
    }
    return parts;
  }

  private double weight(Parts parts, int position, @Nullable Subplan known) {
    double best = 0;
    double most = Double.NEGATIVE_INFINITY;
    for (int step = 0; step <= STEPS; step++) {
      double weight = (double) step / STEPS;
      double loss = leastLoss(parts.with(position, weight), known);
      if (loss > most) {
        best = weight;
        most = loss;
      }
    }
    return best;
  }

  private double leastLoss(Parts parts, @Nullable Subplan known) {
    return LagrangianRelaxation.leastLoss(pareto.search(), lagrangian(known, parts), parts);
  }

  /** The Lagrangian for the numbers of documents that reach each operator of a known plan. */
  private Lagrangian lagrangian(@Nullable Subplan known, Parts parts) {
    SearchProblem problem = pareto.search().problem();
    double[] reaching = new double[problem.implementations().size()];
    Arrays.fill(reaching, 1);
    if (known != null) {
      reaching(known, 1, reaching);
    }
    return Lagrangian.of(objective, problem.implementations(), reaching, parts.shares());
  }

  private static void reaching(Subplan plan, double documents, double[] into) {
    if (plan.input() != null) {
      reaching(plan.input(), documents, into);
    }
    if (plan.right() != null) {
      reaching(plan.right(), documents, into);
    }
    if (plan.root() != null && plan.input() != null) {
      double arriving = documents * plan.input().metrics().selectivity();
      into[plan.root().logical().position()] = arriving;
      if (plan.root().branches() != null) {
        reaching(plan.root().branches(), arriving, into);
      }
    }
  }
}
