package dev.abacus.topology.operator.join;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * Draws some items of a population without replacement, similar ones more often.
 *
 * <p>The probability to draw the item of rank r by similarity is a mixture of a uniform
 * distribution (two thirds) and one that falls as 1/r: errors of a join are mostly among similar
 * items, and the uniform part bounds the weights to about 1.5 times the size of the population
 * divided by the number drawn. Systematic sampling with random order keeps these probabilities and
 * draws exactly the wanted number (Madow 1949). The weight of an item is the inverse of its
 * probability (Horvitz and Thompson 1952), scaled so that the weights sum to the size of the
 * population (Hájek 1971).
 */
final class PairSampling {

  private static final double UNIFORM = 2.0 / 3;

  private PairSampling() {}

  /**
   * Draws items and sets their weights.
   *
   * @param population items with equal ids are not allowed
   * @param similarities by item id; items without a similarity count as the least similar. All
   *     items are equally probable if it is empty
   * @param wanted the number of items to draw; all are drawn if there are not more
   */
  static List<Candidate> draw(
      List<Candidate> population,
      Map<String, Double> similarities,
      int wanted,
      RandomGenerator random) {
    if (population.size() <= wanted) {
      return List.copyOf(population);
    }
    List<Candidate> items = new ArrayList<>(population);
    Collections.shuffle(items, random);
    double[] probabilities = probabilities(items, similarities, wanted);
    List<Candidate> drawn = new ArrayList<>();
    double next = random.nextDouble();
    double sum = 0;
    for (int i = 0; i < probabilities.length; i++) {
      if (probabilities[i] >= 1) {
        drawn.add(items.get(i).withWeight(1));
        continue;
      }
      sum += probabilities[i];
      if (sum > next) {
        next++;
        drawn.add(items.get(i).withWeight(1 / probabilities[i]));
      }
    }
    return scaled(drawn, items.size());
  }

  /**
   * Scales the weights of those items that represent others too, so that all weights sum to the
   * size of a population; items of weight 1 represent themselves.
   */
  static List<Candidate> scaled(List<Candidate> drawn, int population) {
    double certain = drawn.stream().filter(item -> item.weight() == 1).count();
    double weights = drawn.stream().mapToDouble(Candidate::weight).sum() - certain;
    return drawn.stream()
        .map(item ->
            item.weight() == 1
                ? item
                : item.withWeight(item.weight() * (population - certain) / weights))
        .toList();
  }

  /** Inclusion probabilities, which sum to the wanted number; 1 for items that are always drawn. */
  private static double[] probabilities(
      List<Candidate> items, Map<String, Double> similarities, int wanted) {
    double[] shares = shares(items, similarities);
    double[] probabilities = new double[shares.length];
    boolean[] certain = new boolean[shares.length];
    int rest = wanted;
    boolean changed = true;
    while (changed) {
      changed = false;
      double total = 0;
      for (int i = 0; i < shares.length; i++) {
        total += certain[i] ? 0 : shares[i];
      }
      int left = rest;
      for (int i = 0; i < shares.length; i++) {
        if (!certain[i]) {
          probabilities[i] = left * shares[i] / total;
          if (probabilities[i] >= 1) {
            certain[i] = true;
            probabilities[i] = 1;
            rest--;
            changed = true;
          }
        }
      }
    }
    return probabilities;
  }

  private static double[] shares(List<Candidate> items, Map<String, Double> similarities) {
    double[] shares = new double[items.size()];
    if (similarities.isEmpty()) {
      Arrays.fill(shares, 1);
      return shares;
    }
    List<Integer> ranked = new ArrayList<>();
    double harmonic = 0;
    for (int i = 0; i < items.size(); i++) {
      ranked.add(i);
      harmonic += 1.0 / (i + 1);
    }
    ranked.sort(
        Comparator.<Integer>comparingDouble(
                i -> -similarities.getOrDefault(items.get(i).item().id(), -2.0))
            .thenComparing(i -> items.get(i).item().id()));
    for (int rank = 1; rank <= ranked.size(); rank++) {
      shares[ranked.get(rank - 1)] = UNIFORM / items.size() + (1 - UNIFORM) / (rank * harmonic);
    }
    return shares;
  }
}
