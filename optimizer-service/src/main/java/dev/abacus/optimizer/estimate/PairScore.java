package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.observation.Evidence.Pair;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Scores of joins with references that use the samples of all examples.
 *
 * <p>A sample compares a document with some items. A wrong match among them stands for as many
 * wrong matches as its weight says, and most samples have none. The F1 score is not linear in this
 * number: the mean of the scores of single samples is far above the score of live documents. So the
 * number of wrong matches of a document is estimated from all samples of an implementation, and the
 * score of each sample is its expectation over that number:
 *
 * <pre>
 *   wrong matches per document ~ Poisson(λ),  λ ~ Gamma(1 + hits, …), mean (κ·λ̄ + sum) / (κ + samples)
 * </pre>
 *
 * <p>λ̄ is the mean over all implementations of the operator. κ is the number of samples that say
 * as much as it does (Gamma-Poisson shrinkage with shape 1): many if a wrong match in a sample
 * stands for many. A {@link ChoiceJoin} names all of its matches, of the whole reference, in a
 * sample too: its wrong matches are known, and its scores count as they are.
 */
record PairScore(
    ReferenceJoin join, QualityMetric metric, WrongMatches all, Map<String, WrongMatches> arms)
    implements Estimator {

  /** Above this number of wrong matches, the score at the mean replaces the expectation. */
  private static final double MANY = 200;

  private static final double TAIL = 1e-7;

  /**
   * The belief before the first sample: half a percent of the other items match wrongly, with the
   * weight of a quarter of a wrong match. Without it, a few samples without an error would promise
   * that the join makes none.
   */
  private static final double PRIOR_SHARE = 0.005;

  private static final double PRIOR_SHAPE = 0.25;

  private static QualityMetric orUsual(@Nullable QualityMetric metric) {
    return metric == null ? new QualityMetric.SetF1() : metric;
  }

  /** Whether pairs tell a score by this metric. */
  static boolean isMetric(@Nullable QualityMetric metric) {
    return MatchCounts.supports(orUsual(metric));
  }

  /** Weighted wrong matches of the samples of one implementation. */
  static final class WrongMatches {
    private int samples;
    private double sum;
    private double squares;
    private double others;
    private double squaresOfOthers;
    private final Scatter scores = new Scatter();

    void add(List<Pair> pairs, double score) {
      samples++;
      scores.add(score);
      for (Pair pair : pairs) {
        if (Boolean.FALSE.equals(pair.match())) {
          double square = pair.weight() * pair.weight();
          boolean wrong = Boolean.TRUE.equals(pair.answer());
          sum += wrong ? pair.weight() : 0;
          squares += wrong ? square : 0;
          others += pair.weight();
          squaresOfOthers += square;
        }
      }
    }
  }

  /**
   * The number of wrong matches of a document: negative binomial.
   *
   * @param shape of the Gamma distribution of the mean
   */
  private record Wrong(double mean, double shape) {

    static Wrong of(WrongMatches arm, WrongMatches all) {
      if (all.others == 0) {
        return new Wrong(0, 1);
      }
      double weightOfOthers = all.squaresOfOthers / all.others;
      double guess = PRIOR_SHAPE * weightOfOthers;
      double priorMean = PRIOR_SHARE * all.others / all.samples;
      double mean = (guess + all.sum) / (guess / priorMean + all.samples);
      double weight = (guess * weightOfOthers + all.squares) / (guess + all.sum);
      double shape = PRIOR_SHAPE + all.sum / weight;
      double prior = Math.min(1, shape) * weight / mean;
      return new Wrong(
          (prior * mean + arm.sum) / (prior + arm.samples), Math.min(1, shape) + arm.sum / weight);
    }

    double none() {
      return mean == 0 ? 1 : Math.pow(shape / (shape + mean), shape);
    }

    double expectedScore(MatchCounts counts, QualityMetric metric) {
      if (mean == 0 || mean > MANY) {
        return score(counts, metric, mean);
      }
      double ratio = mean / (shape + mean);
      double probability = none();
      double total = 0;
      double expected = 0;
      for (int k = 0; total < 1 - TAIL && k < 100 * MANY; k++) {
        expected += probability * score(counts, metric, k);
        total += probability;
        probability *= ratio * (k + shape) / (k + 1);
      }
      return Math.clamp(expected, 0, 1);
    }

    private static double score(MatchCounts counts, QualityMetric metric, double wrong) {
      double others = counts.wrong() + counts.rejected();
      return new MatchCounts(counts.found(), wrong, counts.missed(), Math.max(0, others - wrong))
          .score(metric);
    }

    /** The expected number of outputs of a document. */
    double outputs(ReferenceJoin join, double found) {
      boolean left = join.joinKind() == JoinKind.LEFT;
      double noMatch = found > 0 ? 0 : none();
      if (join.collected()) {
        return left ? 1 : 1 - noMatch;
      }
      return found + mean + (left ? noMatch : 0);
    }
  }

  static PairScore of(ReferenceJoin join, @Nullable QualityMetric metric, List<Evidence> evidence) {
    WrongMatches all = new WrongMatches();
    Map<String, WrongMatches> arms = new HashMap<>();
    evidence.stream()
        .filter(one -> !one.ofRun() && isPooled(one))
        .sorted(Comparator.comparing(Evidence::id))
        .forEach(one -> {
          double score = Objects.requireNonNull(one.seen().quality());
          all.add(one.pairs(), score);
          arms.computeIfAbsent(one.answering(), _ -> new WrongMatches()).add(one.pairs(), score);
        });
    return new PairScore(join, orUsual(metric), all, arms);
  }

  /** Whether some of the pairs that a scored answer may match stand for others. */
  private static boolean isPooled(Evidence evidence) {
    List<Pair> pairs = evidence.pairs();
    return evidence.isAnswered()
        && evidence.seen().quality() != null
        && !(evidence.physical() instanceof ChoiceJoin)
        && pairs.stream().allMatch(pair -> pair.answer() != null && pair.match() != null)
        && pairs.stream().anyMatch(pair -> pair.weight() != 1);
  }

  private @Nullable WrongMatches arm(Evidence evidence) {
    return isPooled(evidence) ? arms.get(evidence.answering()) : null;
  }

  @Override
  public @Nullable Double quality(Evidence evidence) {
    Double score = evidence.seen().quality();
    WrongMatches arm = arm(evidence);
    return arm == null || score == null
        ? score
        : Double.valueOf(
            arm.scores.around(
                Wrong.of(arm, all).expectedScore(MatchCounts.of(evidence.pairs()), metric), score));
  }

  @Override
  public double outputs(Evidence evidence) {
    WrongMatches arm = arm(evidence);
    return arm == null
        ? evidence.seen().outputCount()
        : Wrong.of(arm, all).outputs(join, MatchCounts.of(evidence.pairs()).found());
  }
}
