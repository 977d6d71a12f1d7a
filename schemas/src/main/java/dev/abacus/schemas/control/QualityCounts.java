package dev.abacus.schemas.control;

/**
 * Judge scores of one instance for the live outputs of one operator in one epoch, since the
 * instance started. The sum of squares allows adding instances and computing confidence intervals.
 *
 * @param operator id of the operator
 * @param judged number of scored outputs
 * @param quality sum of the scores, each in [0, 1]
 * @param qualitySquares sum of the squared scores
 */
public record QualityCounts(
    long epoch, String operator, long judged, double quality, double qualitySquares) {

  /** Counters of no scores. */
  public static QualityCounts none(long epoch, String operator) {
    return new QualityCounts(epoch, operator, 0, 0, 0);
  }

  /** Adds a score. */
  public QualityCounts with(double score) {
    return new QualityCounts(
        epoch, operator, judged + 1, quality + score, qualitySquares + score * score);
  }

  /** Adds other counters, under the epoch and operator of these. */
  public QualityCounts plus(QualityCounts other) {
    return new QualityCounts(
        epoch,
        operator,
        judged + other.judged,
        quality + other.quality,
        qualitySquares + other.qualitySquares);
  }

  /** The increase since an earlier reading of the same counters. */
  public QualityCounts minus(QualityCounts earlier) {
    return new QualityCounts(
        epoch,
        operator,
        judged - earlier.judged,
        quality - earlier.quality,
        qualitySquares - earlier.qualitySquares);
  }
}
