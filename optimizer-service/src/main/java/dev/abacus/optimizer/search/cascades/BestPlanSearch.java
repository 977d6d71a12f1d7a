package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.memo.Group;
import dev.abacus.optimizer.search.memo.GroupFrontier;
import dev.abacus.optimizer.search.memo.GroupKey;
import dev.abacus.optimizer.search.memo.PhysicalExpression;
import dev.abacus.optimizer.search.memo.Subplan;
import dev.abacus.optimizer.search.pareto.Metric;
import dev.abacus.optimizer.search.pareto.MetricVector;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best feasible plan where frontiers are too large to be kept whole: Pareto-Cascades
 * again, over the same groups, keeping only subplans that may still end in a better plan than the
 * best one known. What a subplan may end in at best is told by a {@link LagrangianRelaxation}; with
 * many implementations per operator it is so tight that hardly any subplan is left.
 *
 * <p>Groups keep the most promising subplans where even these are too many, first few, then more,
 * until the answer is proven to be the best or close enough. The answer says how far from the best
 * it may be: by what was promised by the best subplan that found no room.
 *
 * <p>Bounds are exact throughout: a plan is feasible or not by its own metrics, and no subplan of a
 * feasible plan is held back but for room.
 */
final class BestPlanSearch {

  private static final int[] ROOM = {100, 400, 1500, 5000};

  /** Close enough to end with, after each of the rooms: a share of the target's value. */
  private static final double[] CLOSE = {1e-6, 1e-6, 1e-5, 1e-4};

  private static final double ROUNDING = 1e-12;

  private final ParetoSearch pareto;
  private final Objective objective;
  private final Metric target;
  private final BoundPruning bounds;

  BestPlanSearch(ParetoSearch pareto, Objective objective) {
    this.pareto = pareto;
    this.objective = objective;
    this.target = Metric.of(objective.target());
    this.bounds = BoundPruning.asItIs(objective.bounds());
  }

  /**
   * What was found.
   *
   * @param plan the best feasible plan, or null if none was found
   * @param loss in the target that no feasible plan is below; infinite if there is none
   */
  record Answer(@Nullable Subplan plan, double loss) {

    /** Whether no feasible plan is better. */
    boolean isCertain(Dimension target) {
      return epsilon(target) == 0;
    }

    /** How far from the best the plan may be, as a share of its value in the target. */
    double epsilon(Dimension target) {
      if (plan == null) {
        return loss == Double.POSITIVE_INFINITY ? 0 : Double.POSITIVE_INFINITY;
      }
      double value = plan.metrics().get(Metric.of(target));
      double excess = Losses.of(target, value) - loss;
      if (excess <= 0 || (value == 0 && target != Dimension.QUALITY)) {
        return 0;
      }
      if (loss == Double.NEGATIVE_INFINITY) {
        return 1;
      }
      return target == Dimension.QUALITY ? -Math.expm1(-excess) : Math.min(1, excess / value);
    }
  }

  /** The best feasible plan of a frontier; certain if nothing was left out of it. */
  Answer among(Group root) {
    Subplan plan = best(root.subplans());
    if (root.error() > 0) {
      return new Answer(plan, Double.NEGATIVE_INFINITY);
    }
    return new Answer(plan, plan == null ? Double.POSITIVE_INFINITY : loss(plan));
  }

  /** The best feasible plan among some; null if none is feasible. */
  @Nullable Subplan best(List<Subplan> plans) {
    Subplan best = null;
    for (Subplan plan : plans) {
      if (bounds.admits(plan.metrics()) && (best == null || isBetter(plan, best))) {
        best = plan;
      }
    }
    return best;
  }

  private boolean isBetter(Subplan plan, Subplan other) {
    int order = Double.compare(loss(plan), loss(other));
    return order != 0 ? order < 0 : Subplan.ORDER.compare(plan, other) < 0;
  }

  /**
   * Searches.
   *
   * @param known a feasible plan, or null
   */
  Answer search(@Nullable Subplan known) {
    Answer answer = new Answer(known, Double.NEGATIVE_INFINITY);
    if (pareto.problem().layout().isTree()) {
      // The relaxation knows chains only; the frontier's own error has to do.
      return answer;
    }
    for (int round = 0; round < ROOM.length; round++) {
      answer = round(answer.plan(), Math.min(ROOM[round], pareto.most()));
      if (answer.epsilon(objective.target()) <= CLOSE[round]) {
        break;
      }
    }
    return answer;
  }

  private Answer round(@Nullable Subplan known, int room) {
    Lagrangian weights = weights(known);
    LagrangianRelaxation relaxation =
        LagrangianRelaxation.of(pareto.problem(), pareto.explored(), weights);
    double least = known == null ? Double.POSITIVE_INFINITY : loss(known);
    // What is taken off for the bounds and put on again leaves its rounding error behind.
    double rounding = ROUNDING * (weights.constant() + (known == null ? 0 : least)) + 1e-15;
    double most = least + rounding;
    BeamLimit.Certificate certificate = new BeamLimit.Certificate();
    CascadesSearch search =
        pareto.run(new Beam(pareto.problem(), objective, relaxation, most, room, certificate));
    List<Subplan> plans = new ArrayList<>(search.root().subplans());
    if (known != null) {
      plans.add(known);
    }
    Subplan best = best(plans);
    double loss = best == null ? Double.POSITIVE_INFINITY : loss(best);
    return new Answer(best, Math.min(certificate.least() - rounding, loss));
  }

  /** What survives in a group of one round. */
  private record Beam(
      SearchProblem problem,
      Objective objective,
      LagrangianRelaxation relaxation,
      double most,
      int room,
      BeamLimit.Certificate certificate)
      implements Function<GroupKey, GroupFrontier> {

    @Override
    public GroupFrontier apply(GroupKey key) {
      LagrangianRelaxation.Completion completion = relaxation.of(key);
      Pruning promising = completion.upTo(most);
      BoundPruning allowance = problem.allowance(key, objective.bounds());
      return new ParetoGroupFrontier(
          problem.metrics(key),
          allowance.and(promising),
          new BeamLimit(
              ParetoGroupFrontier.columns(problem.metrics(key)),
              completion,
              problem.leastCardinality(key),
              room,
              certificate));
    }
  }

  private double loss(Subplan plan) {
    return Losses.of(objective.target(), plan.metrics().get(target));
  }

  /** Prices for the bounds, going by how many documents reach each operator of a known plan. */
  private Lagrangian weights(@Nullable Subplan known) {
    SearchProblem problem = pareto.problem();
    double[] reaching = new double[problem.implementations().size()];
    Arrays.fill(reaching, 1);
    if (known != null) {
      double documents = 1;
      for (PhysicalExpression step : known.expressions()) {
        reaching[step.logical().position()] = documents;
        documents *= step.perInput().cardinality();
      }
    }
    List<List<MetricVector>> candidates = new ArrayList<>();
    for (List<SearchProblem.Implementation> all : problem.implementations()) {
      candidates.add(SearchProblem.perInput(all));
    }
    return LagrangeMultipliers.of(objective, candidates, reaching);
  }
}
