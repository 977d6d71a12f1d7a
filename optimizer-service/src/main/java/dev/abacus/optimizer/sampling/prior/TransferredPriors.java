package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Priors from what other programs learned, by an additive model: each sampled operator has a level,
 * since documents and questions differ, and each implementation has an effect that is the same for
 * all operators. Levels and effects are fitted alternately to the learned means, weighted by their
 * number of samples and shrunk; quality as it is, cost and latency by their logarithms. An
 * implementation without samples gets the effect of its family, which is the same technique with
 * the same models.
 */
public final class TransferredPriors {

  private static final int ITERATIONS = 12;

  /** Weight, in samples, of the assumption that an implementation has no effect. */
  private static final double SHRINKAGE = 2;

  private static final double LEAST = 1e-9;

  private TransferredPriors() {}

  /**
   * Priors for the operators of a program.
   *
   * @param space implementations by operator id
   * @param kinds kinds of the operators, by operator id
   * @param learned learned operators of other programs
   */
  public static Priors of(
      Map<String, ? extends Collection<PhysicalOperator>> space,
      Map<String, String> kinds,
      Collection<LearnedOperator> learned) {
    return Priors.of(
        space,
        operator -> {
          List<LearnedOperator> alike =
              learned.stream()
                  .filter(one -> one.kind().equals(kinds.get(operator)))
                  .filter(one -> !one.implementations().isEmpty())
                  .toList();
          return alike.isEmpty() ? _ -> null : estimates(alike);
        });
  }

  private static Function<PhysicalOperator, @Nullable OperatorEstimate> estimates(
      List<LearnedOperator> alike) {
    Effects quality = new Effects(alike, OperatorEstimate::quality);
    Effects cost = new Effects(alike, estimate -> log(estimate.cost()));
    Effects latency = new Effects(alike, estimate -> log(estimate.latency()));
    return physical -> {
      Double expected = quality.of(physical);
      Double logCost = cost.of(physical);
      Double logLatency = latency.of(physical);
      return expected == null || logCost == null || logLatency == null
          ? null
          : new OperatorEstimate(
              Math.clamp(expected, 0, 1), Math.exp(logCost), Math.exp(logLatency), 1);
    };
  }

  private static double log(double amount) {
    return Math.log(Math.max(LEAST, amount));
  }

  /** The effects of implementations on one metric. */
  private static final class Effects {

    /** A sum of weighted differences with the sum of the weights. */
    private record WeightedSum(double sum, double weight) {
      WeightedSum plus(WeightedSum other) {
        return new WeightedSum(sum + other.sum, weight + other.weight);
      }

      double shrunk() {
        return sum / (weight + SHRINKAGE);
      }
    }

    private final Map<String, Double> byId = new HashMap<>();
    private final Map<String, Double> byFamily = new HashMap<>();
    private final double level;

    Effects(List<LearnedOperator> operators, ToDoubleFunction<OperatorEstimate> metric) {
      double[] levels = new double[operators.size()];
      for (int iteration = 0; iteration < ITERATIONS; iteration++) {
        for (int i = 0; i < levels.length; i++) {
          levels[i] = level(operators.get(i), metric);
        }
        fit(operators, metric, levels);
      }
      this.level = Arrays.stream(levels).average().orElseThrow();
    }

    private double level(LearnedOperator operator, ToDoubleFunction<OperatorEstimate> metric) {
      WeightedSum sum = new WeightedSum(0, 0);
      for (LearnedArm arm : operator.implementations()) {
        double without = metric.applyAsDouble(arm.estimate()) - byId.getOrDefault(arm.id(), 0.0);
        sum = sum.plus(new WeightedSum(without * arm.samples(), arm.samples()));
      }
      return sum.sum() / sum.weight();
    }

    private void fit(
        List<LearnedOperator> operators,
        ToDoubleFunction<OperatorEstimate> metric,
        double[] levels) {
      Map<String, WeightedSum> ids = new TreeMap<>();
      Map<String, WeightedSum> families = new TreeMap<>();
      for (int i = 0; i < levels.length; i++) {
        for (LearnedArm arm : operators.get(i).implementations()) {
          double beside = metric.applyAsDouble(arm.estimate()) - levels[i];
          WeightedSum sum = new WeightedSum(beside * arm.samples(), arm.samples());
          ids.merge(arm.id(), sum, WeightedSum::plus);
          families.merge(arm.family(), sum, WeightedSum::plus);
        }
      }
      ids.forEach((id, sum) -> byId.put(id, sum.shrunk()));
      families.forEach((family, sum) -> byFamily.put(family, sum.shrunk()));
    }

    /** The expected value of an implementation; null if neither it nor its family is known. */
    @Nullable Double of(PhysicalOperator physical) {
      Double effect =
          byId.getOrDefault(
              physical.id(), byFamily.get(LearnedArm.family(physical.id(), physical.chatModels())));
      return effect == null ? null : Double.valueOf(level + effect);
    }
  }
}
