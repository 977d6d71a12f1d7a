package dev.abacus.schemas.control;

/**
 * What one instance has had judged of the live outputs of one operator under one epoch since it
 * started. The sum of squares stands beside the sum, so that those of several instances can be
 * added and intervals computed.
 *
 * @param operator id of the operator
 * @param judged outputs that the judge gave a score
 * @param quality sum of the scores, each in [0, 1]
 * @param qualitySquares sum of their squares
 */
public record QualityCounts(
    long epoch, String operator, long judged, double quality, double qualitySquares) {

  /** Nothing judged yet. */
  public static QualityCounts none(long epoch, String operator) {
    return new QualityCounts(epoch, operator, 0, 0, 0);
  }

  /** With one more score. */
  public QualityCounts with(double score) {
    return new QualityCounts(
        epoch, operator, judged + 1, quality + score, qualitySquares + score * score);
  }

  /** Both together; of the epoch and operator of this one. */
  public QualityCounts plus(QualityCounts other) {
    return new QualityCounts(
        epoch,
        operator,
        judged + other.judged,
        quality + other.quality,
        qualitySquares + other.qualitySquares);
  }

  /** What came since an earlier reading of the same counters. */
  public QualityCounts minus(QualityCounts earlier) {
    return new QualityCounts(
        epoch,
        operator,
        judged - earlier.judged,
        quality - earlier.quality,
        qualitySquares - earlier.qualitySquares);
  }
}
