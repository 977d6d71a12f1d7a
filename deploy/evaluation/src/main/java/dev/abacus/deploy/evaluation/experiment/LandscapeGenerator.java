package dev.abacus.deploy.evaluation.experiment;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;

/**
 * Draws landscapes that nobody measured, so that a policy is judged by more than the few measured
 * ones. The implementations are those of the measured ones: every model alone, with reduced context
 * and with a critique, and mixtures of up to three proposers.
 *
 * <p>The quality of an implementation has a rank and a scale. The rank follows from skills of its
 * models, effects of its parameters and a part of its own; the scale is one curve over the ranks
 * ({@link Shape#peak}). Costs are tokens times prices and span about three orders of magnitude.
 */
final class LandscapeGenerator {

  private static final RandomGeneratorFactory<RandomGenerator> GENERATORS =
      RandomGeneratorFactory.of("L64X128MixRandom");

  private static final double DOCUMENT_TOKENS = 8000;

  /** Output tokens of an answer, times the price of one in input tokens. */
  private static final double ANSWER_TOKENS = 400 * 4.0;

  private static final double CHARACTERS_PER_TOKEN = 4;
  private static final double USD_PER_TOKEN = 5e-7;

  /** Standard deviation of the logarithm of prices. */
  private static final double PRICES = 1.5;

  /** How often a failing model is asked. */
  private static final double REPETITIONS = 8;

  private static final int[] CHUNKS = {1, 2, 4};
  private static final int[] CHUNK_CHARACTERS = {1000, 2000, 4000};
  private static final double[] TEMPERATURES = {0, 0.4, 0.8};

  /**
   * What distinguishes landscapes.
   *
   * @param models number of models; 3 make 120 implementations, 4 make 272, 5 make 550, 6 make
   *     1,014
   * @param least quality of the worst implementation
   * @param range quality of the best one minus {@code least}
   * @param peak the implementation that is better than a share {@code u} of all has the quality
   *     {@code least + range × u^peak}; from 3 on few are near the best, below 1 most are
   * @param priced correlation of the skill of models with the logarithm of their price
   * @param own share of the variance of ranks that models and parameters do not explain
   * @param failing share of the models that fail on whole documents: they have the median quality
   *     at a multiple of the cost
   */
  record Shape(
      int models,
      double least,
      double range,
      double peak,
      double priced,
      double own,
      double failing) {

    /** A shape at random. */
    static Shape of(long seed) {
      RandomGenerator random = GENERATORS.create(31 * seed + 17);
      double least = random.nextDouble(0.05, 0.5);
      return new Shape(
          random.nextInt(3, 5),
          least,
          random.nextDouble(0.15, 0.45),
          Math.exp(random.nextDouble(Math.log(0.3), Math.log(6))),
          random.nextDouble(-0.5, 0.95),
          random.nextDouble(0.2, 0.7),
          random.nextBoolean() ? 0 : 0.3);
    }
  }

  private final Shape shape;
  private final RandomGenerator random;
  private final double[] skills;
  private final double[] prices;
  private final double[] speeds;
  private final Map<String, Double> effects = new HashMap<>();
  private final List<Draft> drafts = new ArrayList<>();

  /** An implementation before its rank is known. */
  private record Draft(
      Arm arm, List<Integer> models, double shared, double tokens, boolean whole) {}

  private LandscapeGenerator(Shape shape, long seed) {
    this.shape = shape;
    this.random = GENERATORS.create(seed);
    this.skills = gaussians();
    this.prices = gaussians();
    this.speeds = gaussians();
    for (int model = 0; model < shape.models(); model++) {
      double own = Math.sqrt(1 - shape.priced() * shape.priced()) * prices[model];
      prices[model] = Math.exp(PRICES * (shape.priced() * skills[model] + own));
      speeds[model] = Math.exp(0.7 * speeds[model]);
    }
  }

  /** The landscape of a shape and a seed. */
  static Landscape landscape(String operator, Shape shape, long seed) {
    LandscapeGenerator generator = new LandscapeGenerator(shape, seed);
    for (int model = 0; model < shape.models(); model++) {
      generator.addSingle(model);
      generator.addCritiques(model);
    }
    for (int proposers = 1; proposers < 1 << shape.models(); proposers++) {
      if (Integer.bitCount(proposers) <= 3) {
        generator.addMixtures(proposers);
      }
    }
    return new Landscape(operator, generator.arms());
  }

  private double[] gaussians() {
    return random.doubles(shape.models()).map(_ -> random.nextGaussian()).toArray();
  }

  private void addSingle(int model) {
    ObjectNode parameters = parameters().put("model", name(model));
    add("model-selection", List.of(model), parameters, skills[model], 1, true);
    for (int k : CHUNKS) {
      for (int characters : CHUNK_CHARACTERS) {
        double read = k * characters / CHARACTERS_PER_TOKEN / DOCUMENT_TOKENS;
        add(
            "reduced-context",
            List.of(model),
            parameters.deepCopy().put("k", k).put("chunk_size", characters),
            0.8 * skills[model] + effect("k " + k) + effect("characters " + characters),
            read,
            false);
      }
    }
  }

  private void addCritiques(int model) {
    for (int critic = 0; critic < shape.models(); critic++) {
      for (int refiner = 0; refiner < shape.models(); refiner++) {
        add(
            "critique-and-refine",
            List.of(model, critic, refiner),
            parameters()
                .put("model", name(model))
                .put("critic_model", name(critic))
                .put("refine_model", name(refiner)),
            0.4 * skills[model] + 0.2 * skills[critic] + 0.5 * skills[refiner],
            1,
            true);
      }
    }
  }

  private void addMixtures(int proposers) {
    List<Integer> members =
        IntStream.range(0, shape.models())
            .filter(model -> (proposers >> model & 1) == 1)
            .boxed()
            .toList();
    for (int aggregator = 0; aggregator < shape.models(); aggregator++) {
      List<Integer> models = new ArrayList<>(members);
      models.add(aggregator);
      for (double temperature : TEMPERATURES) {
        ObjectNode parameters =
            parameters().put("temperature", temperature).put("aggregator_model", name(aggregator));
        members.forEach(model -> parameters.withArray("proposer_models").add(name(model)));
        add(
            "mixture-of-agents",
            models,
            parameters,
            0.5 * mean(skills, members)
                + 0.5 * skills[aggregator]
                + effect("temperature " + temperature)
                + effect("proposers " + members.size()),
            1,
            true);
      }
    }
  }

  private static double mean(double[] values, List<Integer> models) {
    return sum(values, models) / models.size();
  }

  private static double sum(double[] values, List<Integer> models) {
    return models.stream().mapToDouble(model -> values[model]).sum();
  }

  private void add(
      String technique,
      List<Integer> models,
      ObjectNode parameters,
      double skill,
      double read,
      boolean whole) {
    drafts.add(
        new Draft(
            Arm.of(
                "i%04d".formatted(drafts.size()),
                technique,
                models.stream().map(LandscapeGenerator::name).toList(),
                parameters.properties()),
            models,
            skill + effect(technique) + effect(technique + " with " + models.getLast()),
            read * DOCUMENT_TOKENS + ANSWER_TOKENS,
            whole));
  }

  private static ObjectNode parameters() {
    return JsonNodeFactory.instance.objectNode();
  }

  private static String name(int model) {
    return "model-" + (char) ('a' + model);
  }

  /** What a property adds to the rank; drawn once. */
  private double effect(String property) {
    return effects.computeIfAbsent(property, _ -> 0.4 * random.nextGaussian());
  }

  private List<LandscapeArm> arms() {
    double[] ranks = ranks();
    double[] sorted = ranks.clone();
    Arrays.sort(sorted);
    int failing = (int) Math.round(shape.failing() * shape.models());
    List<LandscapeArm> arms = new ArrayList<>();
    for (int i = 0; i < ranks.length; i++) {
      Draft draft = drafts.get(i);
      boolean fails = draft.whole() && draft.models().getLast() < failing;
      double better =
          fails ? 0.5 : (double) Arrays.binarySearch(sorted, ranks[i]) / (ranks.length - 1);
      double quality = shape.least() + shape.range() * Math.pow(better, shape.peak());
      double price = sum(prices, draft.models());
      double seconds = sum(speeds, draft.models());
      double times = (fails ? REPETITIONS : 1) * draft.tokens();
      arms.add(
          new LandscapeArm(
              draft.arm(),
              new OperatorEstimate(
                  quality,
                  USD_PER_TOKEN * price * times * Math.exp(0.1 * random.nextGaussian()),
                  seconds * times / 1000 * Math.exp(0.4 * random.nextGaussian()),
                  1)));
    }
    return arms;
  }

  /** The shared part and the own part of each implementation, by their shares of the variance. */
  private double[] ranks() {
    double[] shared = drafts.stream().mapToDouble(Draft::shared).toArray();
    double mean = Arrays.stream(shared).average().orElse(0);
    double variance =
        Arrays.stream(shared).map(value -> (value - mean) * (value - mean)).average().orElse(1);
    return Arrays.stream(shared)
        .map(value ->
            Math.sqrt(1 - shape.own()) * (value - mean) / Math.sqrt(variance)
                + Math.sqrt(shape.own()) * random.nextGaussian())
        .toArray();
  }
}
