package dev.abacus.schemas.observation;

import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.QualityMetric;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about the pairs of one document with the items of a reference, or about several
 * documents of a filter, compared with the truth. The numbers are sums of weights and estimate
 * those of all items. Of the values of an output, which match those of a label, none is rejected.
 *
 * @param found matches that were matched
 * @param wrong others that were matched
 * @param missed matches that were not matched
 * @param rejected others that were not matched
 */
public record MatchCounts(double found, double wrong, double missed, double rejected) {

  /** No decisions. */
  public static final MatchCounts NONE = new MatchCounts(0, 0, 0, 0);

  /**
   * The counts of one decision of a filter.
   *
   * @param right probability that the decision is right
   */
  public static MatchCounts ofDecision(boolean kept, double right) {
    return kept ? new MatchCounts(right, 1 - right, 0, 0) : new MatchCounts(0, 0, 1 - right, right);
  }

  /** The sum of these counts and others. */
  public MatchCounts plus(MatchCounts other) {
    return new MatchCounts(
        found + other.found, wrong + other.wrong, missed + other.missed, rejected + other.rejected);
  }

  /** The smaller of the numbers of matches and of others. */
  public double rarerClass() {
    return Math.min(found + missed, rejected + wrong);
  }

  /** The increase since earlier counts. */
  public MatchCounts minus(MatchCounts earlier) {
    return new MatchCounts(
        found - earlier.found,
        wrong - earlier.wrong,
        missed - earlier.missed,
        rejected - earlier.rejected);
  }

  /** The counts of pairs; a pair without an answer counts as not matched. */
  public static MatchCounts of(Collection<Evidence.Pair> pairs) {
    double found = 0;
    double wrong = 0;
    double missed = 0;
    double rejected = 0;
    for (Evidence.Pair pair : pairs) {
      boolean match = Boolean.TRUE.equals(pair.match());
      boolean matched = Boolean.TRUE.equals(pair.answer());
      found += match && matched ? pair.weight() : 0;
      wrong += !match && matched ? pair.weight() : 0;
      missed += match && !matched ? pair.weight() : 0;
      rejected += !match && !matched ? pair.weight() : 0;
    }
    return new MatchCounts(found, wrong, missed, rejected);
  }

  /** Whether a metric compares decisions. */
  public static boolean supports(QualityMetric metric) {
    return switch (metric) {
      case QualityMetric.SetF1 _,
          QualityMetric.Recall _,
          QualityMetric.Precision _,
          QualityMetric.Accuracy _,
          QualityMetric.Judge _ ->
          true;
      case QualityMetric.Exact _,
          QualityMetric.SpanF1 _,
          QualityMetric.RankPrecision _,
          QualityMetric.Ndcg _,
          QualityMetric.Numeric _ ->
          false;
    };
  }

  /**
   * The score by a metric that {@link #supports compares decisions}, in [0, 1]; F1 for the judge. A
   * ratio of nothing to nothing is 1: nothing was to be found and nothing was.
   */
  public double score(QualityMetric metric) {
    return switch (metric) {
      case QualityMetric.Recall _ -> ratio(found, found + missed);
      case QualityMetric.Precision _ -> ratio(found, found + wrong);
      case QualityMetric.Accuracy _ -> ratio(found + rejected, found + wrong + missed + rejected);
      case QualityMetric _ -> ratio(2 * found, 2 * found + wrong + missed);
    };
  }

  /**
   * The score of a filter, in [0, 1].
   *
   * @param metric null for balanced accuracy: the mean of the shares of the matches that were
   *     matched and of the others that were not, so that neither class outweighs the other. A
   *     metric that does not {@link #supports compare decisions} is accuracy
   */
  public double filterScore(@Nullable QualityMetric metric) {
    if (metric == null) {
      return (ratio(found, found + missed) + ratio(rejected, rejected + wrong)) / 2;
    }
    boolean comparing = supports(metric) && !(metric instanceof QualityMetric.Judge);
    return score(comparing ? metric : new QualityMetric.Accuracy());
  }

  /**
   * The score of a filter with its interval. F1 is a function of the share of matches that were
   * found among all pairs that match or were matched; the interval of balanced accuracy follows
   * from those of its two shares (MOVER, Zou and Donner 2008).
   *
   * @param metric as in {@link #filterScore(QualityMetric)}
   * @param deviations half the width of the interval in standard errors
   */
  public Range filterScore(@Nullable QualityMetric metric, double deviations) {
    double all = found + wrong + missed + rejected;
    return switch (metric) {
      case null ->
          average(
              Range.ofShare(found, found + missed, deviations),
              Range.ofShare(rejected, rejected + wrong, deviations));
      case QualityMetric.Recall _ -> Range.ofShare(found, found + missed, deviations);
      case QualityMetric.Precision _ -> Range.ofShare(found, found + wrong, deviations);
      case QualityMetric.SetF1 _ -> {
        Range share = Range.ofShare(found, found + wrong + missed, deviations);
        yield new Range(f1(share.mean()), f1(share.lowest()), f1(share.highest()));
      }
      case QualityMetric _ -> Range.ofShare(found + rejected, all, deviations);
    };
  }

  private static Range average(Range one, Range other) {
    double mean = (one.mean() + other.mean()) / 2;
    double below = Math.hypot(one.mean() - one.lowest(), other.mean() - other.lowest()) / 2;
    double above = Math.hypot(one.highest() - one.mean(), other.highest() - other.mean()) / 2;
    return Range.within(mean, mean - below, mean + above, 0, 1);
  }

  private static double f1(double share) {
    return 2 * share / (1 + share);
  }

  private static double ratio(double part, double all) {
    return all == 0 ? 1 : Math.min(1, part / all);
  }
}
