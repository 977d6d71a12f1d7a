package dev.abacus.optimizer.learned;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Finds a low confidence from which on decisions reach a target precision, by fixed-sequence
 * testing (Angelopoulos et al. 2021, <em>Learn then Test</em>).
 *
 * <pre>
 *   data that chooses   ──► thresholds: the one most likely to pass, then ever lower ones
 *   data that tests     ──► pass, pass, …, fail: the result is the last that passes
 * </pre>
 *
 * <p>The sequence depends on the choosing data alone, and the tests stop at the first failure. So
 * the probability that the precision at the result is below the target is at most {@link
 * BinomialBound#RISK}, however many thresholds are tested. Decisions are taken as independent.
 */
final class PrecisionThreshold {

  /** Growth factor of the number of decisions between two thresholds. */
  private static final double GROWTH = 1.1;

  /** Bets as shares of the largest possible one. */
  private static final double[] BETS = {0.1, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 0.99};

  /**
   * A decision with a known outcome.
   *
   * @param confidence probability, similarity or difference of logits
   * @param weight number of decisions that it represents, greater than 0
   */
  record Scored(double confidence, boolean right, double weight) {}

  private PrecisionThreshold() {}

  /**
   * Finds the thresholds that pass, in falling order.
   *
   * @param choosing decisions that choose the thresholds to test
   * @param testing other decisions, which test them
   * @param target precision, in (0, 1)
   * @param margin how far the last threshold is below the lowest confidence that chooses
   */
  static List<Double> passed(
      List<Scored> choosing, List<Scored> testing, double target, double margin) {
    List<Double> passed = new ArrayList<>();
    for (double candidate : sequence(choosing, testing.size(), target, margin)) {
      if (!reaches(
          testing.stream().filter(one -> one.confidence() >= candidate).toList(), target)) {
        break;
      }
      passed.add(candidate);
    }
    return passed;
  }

  /** The thresholds to test, from the one with the best chance to pass downwards. */
  private static List<Double> sequence(
      List<Scored> choosing, int testing, double target, double margin) {
    List<Scored> sorted = new ArrayList<>(choosing);
    sorted.sort(Comparator.comparingDouble(Scored::confidence).reversed());
    List<Double> candidates = new ArrayList<>();
    int best = 0;
    double bestChance = Double.NEGATIVE_INFINITY;
    double right = 0;
    double weight = 0;
    double squares = 0;
    double look = 0;
    for (int i = 0; i < sorted.size(); i++) {
      Scored one = sorted.get(i);
      right += one.right() ? one.weight() : 0;
      weight += one.weight();
      squares += one.weight() * one.weight();
      boolean last = i + 1 == sorted.size();
      boolean tied = !last && sorted.get(i + 1).confidence() == one.confidence();
      double expected = (i + 1) * (double) testing / sorted.size();
      if (tied
          || (expected < look && !last)
          || expected < BinomialBound.minimumTrials(target)
          || right < target * weight) {
        continue;
      }
      look = Math.max(expected + 1, expected * GROWTH);
      double effective = weight * weight / squares;
      double precision = (right / weight * effective + 1) / (effective + 1.5);
      double trials = expected * effective / (i + 1);
      double chance = (precision - target) * Math.sqrt(trials / (precision * (1 - precision)));
      candidates.add(last ? one.confidence() - margin : one.confidence());
      if (chance >= bestChance) {
        bestChance = chance;
        best = candidates.size() - 1;
      }
    }
    return candidates.subList(Math.min(best, candidates.size()), candidates.size());
  }

  /**
   * Whether decisions show a precision of at least the target, with an error probability of at most
   * {@link BinomialBound#RISK}. The test is exact if all weights are equal. For different weights
   * it is a bet against the hypothesis that the precision is lower (Waudby-Smith and Ramdas 2024,
   * as used by BARGAIN, arXiv 2509.02896): the mean capital of several fixed bets, which is at most
   * 1 in expectation, must reach 1 / risk. The largest weight bounds the loss of one bet.
   */
  static boolean reaches(List<Scored> decisions, double target) {
    double largest = decisions.stream().mapToDouble(Scored::weight).max().orElse(0);
    if (decisions.stream().allMatch(one -> one.weight() == largest)) {
      int right = (int) decisions.stream().filter(Scored::right).count();
      return BinomialBound.reaches(right, decisions.size(), target);
    }
    double capital = 0;
    for (double bet : BETS) {
      double logCapital = 0;
      for (Scored one : decisions) {
        double gain = one.weight() / largest * ((one.right() ? 1 : 0) - target);
        logCapital += Math.log1p(bet / target * gain);
      }
      capital += Math.exp(Math.min(logCapital, 100)) / BETS.length;
    }
    return capital >= 1 / BinomialBound.RISK;
  }
}
