package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.sampling.SeededHash;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * How samples scatter about the true means: quality as a Beta distribution, cost and latency as
 * log-normal ones. An example shifts the quality of all operators alike; where the shift would
 * leave [0, 1] it is shortened on both sides, so that over examples the mean stays the true one.
 *
 * @param concentration of the Beta distribution: a sample of mean μ has variance μ(1 − μ) ÷ (1 +
 *     concentration)
 * @param variation coefficient of variation of cost and latency
 * @param exampleEffect standard deviation of the examples' shifts of quality
 * @param sharedMistakes share of the examples on which the implementations whose answers come from
 *     the same model draw the same quality, apart from their means; others draw independently
 */
record Noise(double concentration, double variation, double exampleEffect, double sharedMistakes) {

  /** Number of points on either side, and the outermost in standard deviations. */
  private static final int GRID = 100;

  private static final double FARTHEST = 5;

  private static final RandomGeneratorFactory<RandomGenerator> GENERATORS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  Noise {
    if (!(concentration > 0 && concentration < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(
          "the quality concentration is " + concentration + "; it must be above 0");
    }
    requireAmount("coefficient of variation", variation);
    requireAmount("example effect", exampleEffect);
    if (!(sharedMistakes >= 0 && sharedMistakes <= 1)) {
      throw new IllegalArgumentException(
          "the share of shared mistakes is " + sharedMistakes + "; it must be in [0, 1]");
    }
  }

  private static void requireAmount(String name, double value) {
    if (!(value >= 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException("the " + name + " is " + value + "; it must be >= 0");
    }
  }

  /**
   * One sample; the same for the same seed, operator, implementation and example.
   *
   * @param example ids of examples are the same for all operators, and so is their shift
   */
  OperatorEstimate sample(long seed, String operator, LandscapeArm arm, String example) {
    RandomGenerator random =
        GENERATORS.create(
            SeededHash.of(seed, String.join("\n", "sample", operator, arm.arm().id(), example)));
    OperatorEstimate truth = arm.truth();
    double mean = shifted(truth.quality(), shift(seed, example));
    double own = beta(random, mean);
    RandomGenerator ofModel = ofModel(seed, operator, arm, example);
    return new OperatorEstimate(
        ofModel.nextDouble() < sharedMistakes ? beta(ofModel, mean) : own,
        truth.cost() * logNormal(random),
        truth.latency() * logNormal(random),
        truth.selectivity());
  }

  /**
   * The mean over examples of the product of qualities. It is larger than the product of their
   * means, because an example shifts all of them alike.
   */
  double meanOfProduct(List<Double> qualities) {
    if (qualities.size() == 1) {
      return qualities.getFirst();
    }
    double sum = 0;
    double weights = 0;
    for (int i = -GRID; i <= GRID; i++) {
      double deviations = FARTHEST * i / GRID;
      double weight = Math.exp(-deviations * deviations / 2);
      double product = 1;
      for (double quality : qualities) {
        product *= shifted(quality, exampleEffect * deviations);
      }
      sum += weight * product;
      weights += weight;
    }
    return sum / weights;
  }

  private static double shifted(double quality, double shift) {
    double room = Math.min(quality, 1 - quality);
    return quality + Math.clamp(shift, -room, room);
  }

  /** Equal for the implementations with the same last model; one of its own without models. */
  private static RandomGenerator ofModel(
      long seed, String operator, LandscapeArm arm, String example) {
    List<String> models = arm.arm().models();
    String model = models.isEmpty() ? "alone\n" + arm.arm().id() : models.getLast();
    return GENERATORS.create(
        SeededHash.of(seed, String.join("\n", "model", operator, model, example)));
  }

  private double shift(long seed, String example) {
    return exampleEffect
        * GENERATORS.create(SeededHash.of(seed, "example\n" + example)).nextGaussian();
  }

  private double beta(RandomGenerator random, double mean) {
    if (mean <= 0 || mean >= 1) {
      return mean;
    }
    double a = gamma(random, mean * concentration);
    double b = gamma(random, (1 - mean) * concentration);
    return a + b > 0 ? a / (a + b) : mean < random.nextDouble() ? 0 : 1;
  }

  /** Marsaglia and Tsang (2000), "A simple method for generating gamma variables". */
  private static double gamma(RandomGenerator random, double shape) {
    if (shape < 1) {
      return gamma(random, shape + 1) * Math.pow(random.nextDouble(), 1 / shape);
    }
    double d = shape - 1.0 / 3;
    double c = 1 / Math.sqrt(9 * d);
    while (true) {
      double x = random.nextGaussian();
      double v = Math.pow(1 + c * x, 3);
      double u = random.nextDouble();
      if (v > 0 && Math.log(u) < 0.5 * x * x + d - d * v + d * Math.log(v)) {
        return d * v;
      }
    }
  }

  /** Of mean 1. */
  private double logNormal(RandomGenerator random) {
    double variance = Math.log1p(variation * variation);
    return Math.exp(Math.sqrt(variance) * random.nextGaussian() - variance / 2);
  }
}
