package dev.abacus.optimizer.sampling;

import dev.abacus.schemas.objective.Dimension;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * What the most promising further samples of an operator are expected to bring, and what they have
 * to bring at least.
 *
 * @param target of the objective
 * @param gain expected: of cost the USD that one sample saves on all documents to come; of quality
 *     and latency how much better the chosen plan becomes
 * @param price of cost the USD that one sample costs; of quality and latency the least gain that
 *     counts
 */
public record Outlook(Dimension target, double gain, double price) {

  /** Part of the price below which a gain is not stated. */
  private static final double NOTHING = 1e-3;

  /** Whether the samples are worth their price. */
  public boolean isWorthIt() {
    return gain > price;
  }

  /** How much of its price a sample is worth; orders outlooks. */
  double ratio() {
    return gain / Math.max(Double.MIN_NORMAL, price);
  }

  /**
   * Why no further sample is drawn, for users.
   *
   * @param documents number of documents to come
   */
  public String clause(double documents) {
    if (ratio() < NOTHING) {
      return "no further sample is expected to change the plan";
    }
    return switch (target) {
      case COST ->
          "a further sample costs $%s and is expected to save $%s on %s documents to come"
              .formatted(rounded(price), rounded(gain), rounded(documents));
      case QUALITY ->
          "further samples are expected to add %s to quality, and less than %s does not count"
              .formatted(rounded(gain), rounded(price));
      case LATENCY ->
          "further samples are expected to save %s s of latency, and less than %s s does not count"
              .formatted(rounded(gain), rounded(price));
    };
  }

  private static String rounded(double value) {
    return new BigDecimal(value).round(new MathContext(2)).toPlainString();
  }

  /** The better one of two for the same operator. */
  public Outlook or(Outlook other) {
    return other.ratio() > ratio() ? other : this;
  }
}
