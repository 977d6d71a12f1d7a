package dev.abacus.schemas.catalogue;

/**
 * What calls of models used.
 *
 * @param costUsd USD, including failed attempts
 * @param tokens by kind, including failed attempts
 */
public record Usage(double costUsd, TokenCounts tokens) {

  /** No cost and no tokens. */
  public static final Usage NONE = new Usage(0, TokenCounts.NONE);

  public Usage plus(Usage other) {
    return new Usage(costUsd + other.costUsd, tokens.plus(other.tokens));
  }

  /** One of several equal parts; tokens are rounded down. */
  public Usage dividedBy(int parts) {
    return new Usage(costUsd / parts, tokens.share(1, parts));
  }
}
