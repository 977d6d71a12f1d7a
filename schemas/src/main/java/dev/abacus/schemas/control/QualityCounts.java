package dev.abacus.schemas.control;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.program.QualityMetric;
import org.jspecify.annotations.Nullable;

/**
 * Judge scores of one instance for the live outputs of one operator in one epoch, since the
 * instance started. The sum of squares allows adding instances and computing confidence intervals.
 *
 * @param operator id of the operator
 * @param judged number of scored outputs and failures
 * @param quality sum of the scores, each in [0, 1]
 * @param qualitySquares sum of the squared scores
 * @param decisions the judge's scores of a filter by kind of decision; null for another operator
 * @param failures outputs that score 0 because the implementation failed; null for none
 * @param missing outputs that were drawn and have no score, because the judge was busy, away or did
 *     not answer; null for none
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record QualityCounts(
    long epoch,
    String operator,
    long judged,
    double quality,
    double qualitySquares,
    @Nullable MatchCounts decisions,
    @Nullable Long failures,
    @Nullable Long missing) {

  /** Counters of no scores. */
  public static QualityCounts none(long epoch, String operator) {
    return new QualityCounts(epoch, operator, 0, 0, 0, null, null, null);
  }

  /** Adds a score. */
  public QualityCounts with(double score) {
    return with(score, decisions);
  }

  /** Adds the score of a decision of a filter. */
  public QualityCounts withDecision(boolean kept, double score) {
    return with(score, orNone(decisions).plus(MatchCounts.ofDecision(kept, score)));
  }

  /** Adds a failure of the implementation, which scores 0. */
  public QualityCounts withFailure() {
    return new QualityCounts(
        epoch, operator, judged + 1, quality, qualitySquares, decisions, failed() + 1, missing);
  }

  /** Adds an output that was drawn and has no score. */
  public QualityCounts withMissing() {
    return new QualityCounts(
        epoch, operator, judged, quality, qualitySquares, decisions, failures, unscored() + 1);
  }

  private long failed() {
    return orZero(failures);
  }

  private long unscored() {
    return orZero(missing);
  }

  private static long orZero(@Nullable Long number) {
    return number == null ? 0 : number;
  }

  private static @Nullable Long orNull(long number) {
    return number == 0 ? null : Long.valueOf(number);
  }

  private QualityCounts with(double score, @Nullable MatchCounts added) {
    return new QualityCounts(
        epoch,
        operator,
        judged + 1,
        quality + score,
        qualitySquares + score * score,
        added,
        failures,
        missing);
  }

  /** Adds other counters, under the epoch and operator of these. */
  public QualityCounts plus(QualityCounts other) {
    return new QualityCounts(
        epoch,
        operator,
        judged + other.judged,
        quality + other.quality,
        qualitySquares + other.qualitySquares,
        decisions == null ? other.decisions : decisions.plus(orNone(other.decisions)),
        orNull(failed() + other.failed()),
        orNull(unscored() + other.unscored()));
  }

  /** The increase since an earlier reading of the same counters. */
  public QualityCounts minus(QualityCounts earlier) {
    return new QualityCounts(
        epoch,
        operator,
        judged - earlier.judged,
        quality - earlier.quality,
        qualitySquares - earlier.qualitySquares,
        decisions == null ? null : decisions.minus(orNone(earlier.decisions)),
        orNull(failed() - earlier.failed()),
        orNull(unscored() - earlier.unscored()));
  }

  /**
   * The quality in the measure of the operator's estimate, with its interval: the metric of a
   * filter's decisions times the share of documents that it decided, the mean score of any other
   * operator. At least one output was scored. Outputs without a score count as all wrong at the low
   * end of the interval and as all right at the high end, those of a filter as all of its rarer
   * class.
   *
   * @param metric of the operator in the program; null for the default
   * @param deviations half the width of the interval in standard errors: 1.96 for 95 %, 2.576 for
   *     99 %
   */
  public Range measured(@Nullable QualityMetric metric, double deviations) {
    if (decisions != null) {
      Range right = decisions.filterScore(metric, deviations);
      // A failure makes no decision and scores 0.
      double answered = (double) (judged - failed());
      return widened(
          failed() == 0
              ? right
              : product(right, Range.ofShare(answered, (double) judged, deviations)),
          decisions.rarerClass());
    }
    return widened(Range.ofMean(judged, quality, qualitySquares, deviations), (double) judged);
  }

  /**
   * An interval that holds whatever the missing scores are.
   *
   * @param scored number of outputs with a score
   */
  private Range widened(Range range, double scored) {
    if (range.low() == null || range.high() == null) {
      return range;
    }
    double lost = unscored() == 0 ? 0 : unscored() / (scored + unscored());
    return Range.within(
        range.mean(), range.low() * (1 - lost), range.high() * (1 - lost) + lost, 0, 1);
  }

  private static Range product(Range one, Range other) {
    return new Range(
        one.mean() * other.mean(), one.lowest() * other.lowest(), one.highest() * other.highest());
  }

  private static MatchCounts orNone(@Nullable MatchCounts counts) {
    return counts == null ? MatchCounts.NONE : counts;
  }
}
