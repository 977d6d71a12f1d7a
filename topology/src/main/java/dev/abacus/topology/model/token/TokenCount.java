package dev.abacus.topology.model.token;

/**
 * A number of tokens with the interval that contains it. All three are equal if the tokenizer of
 * the model counted a text.
 *
 * @param tokens the best estimate; for forecasts and reservations
 * @param low the lower end; a prompt is certainly too long only if this exceeds the limit
 * @param high the upper end; a text certainly fits only if this does not exceed the limit
 */
public record TokenCount(long tokens, long low, long high) {

  /** No tokens. */
  public static final TokenCount NONE = exact(0);

  public TokenCount {
    if (low < 0 || low > tokens || tokens > high) {
      throw new IllegalArgumentException(
          "%d tokens are not in [%d, %d]".formatted(tokens, low, high));
    }
  }

  /** A number without error. */
  public static TokenCount exact(long tokens) {
    return new TokenCount(tokens, tokens, tokens);
  }

  /** A number between two factors of a base. The interval contains the middle after rounding. */
  static TokenCount of(double tokens, double low, double high) {
    long middle = Math.round(tokens);
    return new TokenCount(
        middle,
        Math.clamp((long) Math.floor(low), 0, middle),
        Math.max(middle, (long) Math.ceil(high)));
  }

  /** Whether the number is without error. */
  public boolean isExact() {
    return low == high;
  }

  /** The sum of two numbers. */
  public TokenCount plus(TokenCount other) {
    return new TokenCount(tokens + other.tokens, low + other.low, high + other.high);
  }
}
