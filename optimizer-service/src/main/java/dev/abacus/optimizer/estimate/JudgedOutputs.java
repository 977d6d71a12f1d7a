package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The judge's scores of the outputs of one implementation: of labelled examples, and of live
 * documents that were drawn at random. Together with the labels they tell the score of live
 * documents (prediction-powered inference, Angelopoulos et al. 2023; {@code slope} as in PPI++,
 * 2024), whatever the judge's bias is:
 *
 * <pre>
 *   mean over labelled examples of (score − slope · judged)  +  slope · mean of live judged
 * </pre>
 *
 * <p>The judge's score is a control variate: each labelled score is moved by what the judge's score
 * of it differs from the live mean. It explains a part of the scatter, and the live mean adds an
 * error in common. A useless judge has a slope of 0.
 *
 * @param labelled the judge's scores of outputs that have a label, by example id
 * @param live the judge's scores of live outputs
 */
public record JudgedOutputs(Map<String, Double> labelled, QualityCounts live) {

  /** Fewer pairs of scores do not tell the slope. */
  public static final int LEAST_PAIRS = 10;

  /** Fewer live scores are of little use. */
  private static final int LEAST_LIVE = 20;

  /** Pairs of which the judge explains nothing, beside those that were seen. */
  private static final double UNEXPLAINED = 2;

  private static final double OF_95_PERCENT = 1.96;
  private static final double LEAST_VARIANCE = 1e-9;

  /**
   * How labelled scores are moved.
   *
   * @param mean of the judge's live scores
   * @param rest deviation of a moved score ÷ that of a score, in (0, 1]
   * @param error standard error that moved scores have in common, by the live mean
   */
  record Correction(
      Map<String, Double> labelled, double slope, double mean, double rest, double error) {

    /** Whether a score is moved. */
    boolean has(Evidence evidence) {
      return judged(labelled, evidence) != null;
    }

    double moved(Evidence evidence, double score) {
      Double judged = judged(labelled, evidence);
      return judged == null ? score : score - slope * (judged - mean);
    }
  }

  /** The judge's score; that of a failure is 0, as that by a label. */
  private static @Nullable Double judged(Map<String, Double> labelled, Evidence evidence) {
    return switch (evidence.seen().scoredBy()) {
      case FAILURE -> Double.valueOf(0);
      case LABEL -> labelled.get(evidence.seen().exampleId());
      case JUDGE, NOBODY -> null;
    };
  }

  /**
   * The correction of the scores of the implementation; null if it would not make their mean surer.
   *
   * @param evidence of the implementation
   */
  @Nullable Correction correction(List<Evidence> evidence) {
    List<Evidence> pairs =
        evidence.stream()
            .filter(one -> one.seen().quality() != null && judged(labelled, one) != null)
            .toList();
    boolean weighted = evidence.stream().anyMatch(one -> one.weight() != 1);
    int n = pairs.size();
    if (weighted || n < LEAST_PAIRS || live.judged() < LEAST_LIVE || !hasLabel(pairs)) {
      return null;
    }
    double[] scores = new double[n];
    double[] judged = new double[n];
    for (int i = 0; i < n; i++) {
      Double score = pairs.get(i).seen().quality();
      Double other = judged(labelled, pairs.get(i));
      scores[i] = score == null ? 0 : score;
      judged[i] = other == null ? 0 : other;
    }
    double variance = covariance(scores, scores);
    double ofJudged = covariance(judged, judged);
    double both = covariance(scores, judged);
    if (variance < LEAST_VARIANCE || ofJudged < LEAST_VARIANCE) {
      return null;
    }
    double explained = Math.min(1 - LEAST_VARIANCE, both * both / (variance * ofJudged));
    double evidenceOfSlope = explained * (n - 2) / (1 - explained);
    // Drawn to 0 by its own error (James and Stein), and by that of the live mean.
    double number = (double) live.judged();
    double slope = both / ofJudged * Math.max(0, 1 - 1 / evidenceOfSlope) * number / (number + n);
    double rest = (n * rest(scores, judged, slope) + UNEXPLAINED * variance) / (n + UNEXPLAINED);
    double mean = live.quality() / number;
    double ofLive =
        (n * ofJudged + Math.max(0, live.qualitySquares() - number * mean * mean)) / (n + number);
    double error = slope * slope * ofLive / number;
    double known = rest / n + error;
    // Those without a score may be all wrong or all right: a bias, which adds to the deviation.
    double lost = live.missing() == null ? 0 : live.missing() / (number + live.missing());
    double bias = Math.abs(slope) * lost * Math.max(mean, 1 - mean);
    double total = Math.sqrt(known) + bias / OF_95_PERCENT;
    return slope == 0 || total * total >= variance / n
        ? null
        : new Correction(
            labelled,
            slope,
            mean,
            Math.min(1, Math.sqrt(rest / variance)),
            Math.sqrt(total * total - rest / n));
  }

  private static boolean hasLabel(List<Evidence> pairs) {
    return pairs.stream().anyMatch(one -> one.seen().scoredBy() == ScoredBy.LABEL);
  }

  /** The variance of moved scores. */
  private static double rest(double[] scores, double[] judged, double slope) {
    double[] moved = new double[scores.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = scores[i] - slope * judged[i];
    }
    // The slope is estimated, too (Cochran 1977, regression estimators).
    int n = scores.length;
    double spent = (n - 1.0) / (n - 2) * (1 + 1.0 / (n - 3));
    return Math.max(LEAST_VARIANCE, covariance(moved, moved)) * spent;
  }

  private static double covariance(double[] a, double[] b) {
    double meanA = 0;
    double meanB = 0;
    for (int i = 0; i < a.length; i++) {
      meanA += a[i] / a.length;
      meanB += b[i] / b.length;
    }
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (a[i] - meanA) * (b[i] - meanB);
    }
    return sum / (a.length - 1);
  }
}
