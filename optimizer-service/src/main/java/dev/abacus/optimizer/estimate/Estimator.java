package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the score of an implementation follows from its evidence: what the evidence of all
 * implementations of an operator tells. There is one estimator per family of scores; {@link
 * Amounts} is that of cost and latency.
 *
 * <table>
 *   <caption>Families</caption>
 *   <tr><th>scores</th><th>estimate</th><th>estimator</th></tr>
 *   <tr><td>graded, or a proportion of right ones</td><td>mean</td><td>{@link MeanScore}</td></tr>
 *   <tr><td>right and wrong decisions of a filter</td><td>the metric of the shares of right
 *       decisions of both classes</td><td>{@link TwoClassScore}</td></tr>
 *   <tr><td>pairs of a join, some for many</td><td>expectation over the number of wrong matches
 *       </td><td>{@link PairScore}</td></tr>
 * </table>
 */
public sealed interface Estimator permits MeanScore, TwoClassScore, PairScore {

  /**
   * Variances of scores whose mean is a function of the evidence of all documents, so that their
   * scatter does not tell it.
   *
   * @param each variance of the score of one document
   * @param common variance that the mean of all implementations has in addition, because they
   *     answer about the same few documents
   */
  record ScoreVariance(double each, double common) {}

  /** The score of a document; the mean over documents is the estimate. Null if unknown. */
  @Nullable Double quality(Evidence evidence);

  /** The number of outputs of a document, likewise. */
  double outputs(Evidence evidence);

  /**
   * How many live documents the document stands for, because the evidence prefers some: its share
   * among live documents ÷ its share in the evidence (post-stratification).
   */
  default double stratum(Evidence evidence) {
    return 1;
  }

  /** Whether the quality counts with the weight of the evidence. */
  default boolean isWeighted() {
    return true;
  }

  /**
   * The deviation of a score ÷ that without what is known beside the evidence; see {@link
   * JudgedOutputs}.
   */
  default double rest(Evidence evidence) {
    return 1;
  }

  /** The error that all scores of an implementation have in common. */
  default Loadings error(String implementation) {
    return Loadings.NONE;
  }

  /** Null if the scores tell their variance. */
  default @Nullable ScoreVariance variance() {
    return null;
  }

  /** The estimator of an operator by its evidence. */
  static Estimator of(OperatorContext context, List<Evidence> evidence) {
    LogicalOperator operator = context.operator();
    if (operator.decides() && TwoClassScore.isMetric(context.metric())) {
      return new TwoClassScore(context, evidence);
    }
    return operator instanceof ReferenceJoin join && PairScore.isMetric(context.metric())
        ? PairScore.of(join, context.metric(), evidence)
        : MeanScore.of(context, evidence);
  }
}
