package dev.abacus.schemas.observation;

import dev.abacus.schemas.program.QualityMetric;
import java.util.Collection;
import org.jspecify.annotations.Nullable;

/**
 * The decisions about the pairs of one document with the items of a reference, or about several
 * documents of a filter, compared with the truth. The numbers are sums of weights and estimate
 * those of all items.
 *
 * @param found matches that were matched
 * @param wrong others that were matched
 * @param missed matches that were not matched
 * @param rejected others that were not matched
 */
public record MatchCounts(double found, double wrong, double missed, double rejected) {

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

  private static double ratio(double part, double all) {
    return all == 0 ? 1 : Math.min(1, part / all);
  }
}
