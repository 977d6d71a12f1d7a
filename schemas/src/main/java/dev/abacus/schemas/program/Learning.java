package dev.abacus.schemas.program;

/**
 * How a program learns from its live documents: {@code learning: { audit: 0.02, target: 0.95 }}.
 *
 * @param audit share of the documents that classifiers could answer and that a model answers all
 *     the same, to check them, and that all filters of a learned order are asked about; in [{@value
 *     #LEAST_AUDIT}, 1)
 * @param target share of the classifiers' answers that have to agree with those of the model, in
 *     (0.5, 1)
 * @param answers whether classifiers answer documents; if not, only the order of filters is learnt,
 *     and there are no mistakes
 */
public record Learning(double audit, double target, boolean answers) {

  /** A smaller audit would find a change too late. */
  public static final double LEAST_AUDIT = 0.01;

  /** The values of a program that states none. */
  public static final Learning DEFAULT = new Learning(0.02, 0.95);

  /** Classifiers answer documents. */
  public Learning(double audit, double target) {
    this(audit, target, true);
  }

  /** Only the order of filters is learnt: {@code learning: { audit: 0.02, answers: off }}. */
  public static Learning ofOrders(double audit) {
    return new Learning(audit, DEFAULT.target(), false);
  }

  public Learning {
    if (!(audit >= LEAST_AUDIT && audit < 1)) {
      throw new IllegalArgumentException(
          "an audited share of %s; it must be in [%s, 1)".formatted(audit, LEAST_AUDIT));
    }
    if (!(target > 0.5 && target < 1)) {
      throw new IllegalArgumentException(
          "a target of %s for the agreement; it must be in (0.5, 1)".formatted(target));
    }
  }
}
