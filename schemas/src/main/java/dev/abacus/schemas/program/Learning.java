package dev.abacus.schemas.program;

import io.soabase.recordbuilder.core.RecordBuilder;

/**
 * How a program learns from its live documents: {@code learning: { audit: 0.02, target: 0.95 }}.
 *
 * @param audit share of the documents that classifiers could answer and that a model answers all
 *     the same, to check them, and that all filters of a learned order are asked about; in [{@value
 *     #LEAST_AUDIT}, 1); 0 if live answers teach nothing
 * @param target share of the classifiers' answers that have to agree with those of the model, in
 *     (0.5, 1)
 * @param answers whether classifiers answer documents; if not, only the order of filters is learnt,
 *     and there are no mistakes
 * @param shadow share of live documents that the search also runs beside the plan, in [0, {@value
 *     #MOST_SHADOW}]; 0 for none
 * @param review most labels per day that are asked for on the review topic; 0 for none
 */
@RecordBuilder
public record Learning(double audit, double target, boolean answers, double shadow, int review)
    implements LearningBuilder.With {

  /** A smaller audit would find a change too late. */
  public static final double LEAST_AUDIT = 0.01;

  /** A larger share would cost more than it tells. */
  public static final double MOST_SHADOW = 0.1;

  /** More labels per day are no review, but a data set. */
  public static final int MOST_REVIEWS = 1000;

  /** The values of a program that states none. */
  public static final Learning DEFAULT = new Learning(0.02, 0.95);

  /** Live documents teach nothing: {@code learning: off}. */
  public static final Learning OFF = withoutAnswers(0, 0);

  /** Classifiers answer documents. */
  public Learning(double audit, double target) {
    this(audit, target, true, 0, 0);
  }

  /** Only the order of filters is learnt: {@code learning: { audit: 0.02, answers: off }}. */
  public static Learning ofOrders(double audit) {
    return new Learning(audit, DEFAULT.target(), false, 0, 0);
  }

  /** Live answers teach nothing: {@code learning: { shadow: 0.01, review: 20 }}. */
  public static Learning withoutAnswers(double shadow, int review) {
    return new Learning(0, DEFAULT.target(), false, shadow, review);
  }

  /** Whether live answers teach something. */
  public boolean fromAnswers() {
    return audit > 0;
  }

  public Learning {
    if (review < 0 || review > MOST_REVIEWS) {
      throw new IllegalArgumentException(
          "a review of %d labels per day; it must be in [1, %d], or off"
              .formatted(review, MOST_REVIEWS));
    }
    if (!(shadow >= 0 && shadow <= MOST_SHADOW)) {
      throw new IllegalArgumentException(
          "%s of the documents beside the plan; it must be in (0, %s]"
              .formatted(shadow, MOST_SHADOW));
    }
    boolean withoutAnswers = audit == 0 && !answers;
    if (!withoutAnswers && !(audit >= LEAST_AUDIT && audit < 1)) {
      throw new IllegalArgumentException(
          "an audited share of %s; it must be in [%s, 1)".formatted(audit, LEAST_AUDIT));
    }
    if (!(target > 0.5 && target < 1)) {
      throw new IllegalArgumentException(
          "a target of %s for the agreement; it must be in (0.5, 1)".formatted(target));
    }
  }
}
