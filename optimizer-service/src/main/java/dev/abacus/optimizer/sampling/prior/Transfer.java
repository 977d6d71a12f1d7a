package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What other programs have learnt, as a prior: every operator that was sampled anywhere has a level
 * of its own (documents are short or long, questions easy or hard), and every implementation has an
 * effect beside it, the same everywhere. Both are fitted by turns to the means that were learnt,
 * weighted by their samples and shrunk, quality as it is, cost and latency by their logarithms.
 * What was never sampled itself gets the effect of its family: the same technique with the same
 * models under other parameters.
 */
public final class Transfer {

  private static final int TURNS = 12;

  /** Samples' worth of disbelief that an implementation differs from others at all. */
  private static final double DOUBT = 2;

  private static final double LEAST = 1e-9;

  private Transfer() {}

  /**
   * Priors for the operators of a program.
   *
   * @param space implementations by operator id
   * @param kinds of the operators, by id
   * @param learnt of operators of other programs
   */
  public static Priors of(
      Map<String, ? extends Collection<PhysicalOperator>> space,
      Map<String, String> kinds,
      Collection<LearntOperator> learnt) {
    Map<String, Map<String, OperatorEstimate>> priors = new TreeMap<>();
    kinds.forEach((operator, kind) -> {
      List<LearntOperator> alike =
          learnt.stream()
              .filter(one -> one.kind().equals(kind) && !one.implementations().isEmpty())
              .toList();
      Collection<PhysicalOperator> implementations = space.get(operator);
      if (!alike.isEmpty() && implementations != null) {
        Map<String, OperatorEstimate> ofOperator = of(implementations, alike);
        if (!ofOperator.isEmpty()) {
          priors.put(operator, ofOperator);
        }
      }
    });
    return new Priors(priors);
  }

  private static Map<String, OperatorEstimate> of(
      Collection<PhysicalOperator> implementations, List<LearntOperator> alike) {
    Effects quality = new Effects(alike, OperatorEstimate::quality);
    Effects cost = new Effects(alike, estimate -> log(estimate.cost()));
    Effects latency = new Effects(alike, estimate -> log(estimate.latency()));
    Map<String, OperatorEstimate> estimates = new TreeMap<>();
    for (PhysicalOperator physical : implementations) {
      Double expected = quality.of(physical);
      Double logCost = cost.of(physical);
      Double logLatency = latency.of(physical);
      if (expected != null && logCost != null && logLatency != null) {
        estimates.put(
            physical.id(),
            new OperatorEstimate(
                Math.clamp(expected, 0, 1), Math.exp(logCost), Math.exp(logLatency), 1));
      }
    }
    return estimates;
  }

  private static double log(double amount) {
    return Math.log(Math.max(LEAST, amount));
  }

  /** The effects of implementations on one metric. */
  private static final class Effects {

    /** A sum of weighted differences, and of weights. */
    private record Pull(double sum, double weight) {
      Pull plus(Pull other) {
        return new Pull(sum + other.sum, weight + other.weight);
      }

      double shrunk() {
        return sum / (weight + DOUBT);
      }
    }

    private final Map<String, Double> byId = new HashMap<>();
    private final Map<String, Double> byFamily = new HashMap<>();
    private final double level;

    Effects(List<LearntOperator> operators, ToDoubleFunction<OperatorEstimate> metric) {
      double[] levels = new double[operators.size()];
      for (int turn = 0; turn < TURNS; turn++) {
        for (int i = 0; i < levels.length; i++) {
          levels[i] = level(operators.get(i), metric);
        }
        fit(operators, metric, levels);
      }
      double sum = 0;
      for (double one : levels) {
        sum += one;
      }
      this.level = sum / levels.length;
    }

    private double level(LearntOperator operator, ToDoubleFunction<OperatorEstimate> metric) {
      Pull pull = new Pull(0, 0);
      for (LearntArm arm : operator.implementations()) {
        double without = metric.applyAsDouble(arm.estimate()) - byId.getOrDefault(arm.id(), 0.0);
        pull = pull.plus(new Pull(without * arm.samples(), arm.samples()));
      }
      return pull.sum() / pull.weight();
    }

    private void fit(
        List<LearntOperator> operators,
        ToDoubleFunction<OperatorEstimate> metric,
        double[] levels) {
      Map<String, Pull> ids = new TreeMap<>();
      Map<String, Pull> families = new TreeMap<>();
      for (int i = 0; i < levels.length; i++) {
        for (LearntArm arm : operators.get(i).implementations()) {
          double beside = metric.applyAsDouble(arm.estimate()) - levels[i];
          Pull pull = new Pull(beside * arm.samples(), arm.samples());
          ids.merge(arm.id(), pull, Pull::plus);
          families.merge(arm.family(), pull, Pull::plus);
        }
      }
      ids.forEach((id, pull) -> byId.put(id, pull.shrunk()));
      families.forEach((family, pull) -> byFamily.put(family, pull.shrunk()));
    }

    /** The expected value of an implementation; null if neither it nor its family is known. */
    @Nullable Double of(PhysicalOperator physical) {
      Double effect = byId.getOrDefault(physical.id(), byFamily.get(LearntArm.family(physical)));
      return effect == null ? null : Double.valueOf(level + effect);
    }
  }
}
