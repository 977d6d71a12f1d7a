package dev.abacus.schemas.control;

/**
 * The answer store's part in the latest requests of an operator for live documents, on one
 * instance. The counts are halved as they grow, so they follow the stream.
 *
 * @param operator id in the program
 * @param requests one to two thousand, or all since the start of the instance if they are fewer
 * @param saved requests without a call
 * @param tokens input and output tokens of all requests
 * @param savedTokens tokens of the saved requests
 */
public record OperatorReuse(
    String operator, long requests, long saved, long tokens, long savedTokens) {

  public OperatorReuse {
    if (saved < 0 || saved > requests || savedTokens < 0 || savedTokens > tokens) {
      throw new IllegalArgumentException(
          "%d of %d requests saved, %d of %d tokens"
              .formatted(saved, requests, savedTokens, tokens));
    }
  }

  /** Half of each count, rounded down. */
  public OperatorReuse half() {
    return new OperatorReuse(operator, requests / 2, saved / 2, tokens / 2, savedTokens / 2);
  }

  /** Adds the counts of another instance. */
  public OperatorReuse plus(OperatorReuse other) {
    return new OperatorReuse(
        operator,
        requests + other.requests,
        saved + other.saved,
        tokens + other.tokens,
        savedTokens + other.savedTokens);
  }
}
