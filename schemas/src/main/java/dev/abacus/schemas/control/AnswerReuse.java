package dev.abacus.schemas.control;

import java.util.List;

/**
 * The answer store's part in the calls for live documents.
 *
 * @param requests that the program would send to models without the store
 * @param saved requests that the store or an identical call in flight answered
 * @param savedTokens input and output tokens of the saved calls
 * @param savedUsd what the saved calls would have cost
 * @param operators the latest requests by operator
 */
public record AnswerReuse(
    long requests, long saved, long savedTokens, double savedUsd, List<OperatorReuse> operators) {

  /** No request. */
  public static final AnswerReuse NONE = new AnswerReuse(0, 0, 0, 0, List.of());

  /** A request. */
  public static final AnswerReuse REQUEST = new AnswerReuse(1, 0, 0, 0, List.of());

  public AnswerReuse {
    operators = operators == null ? List.of() : List.copyOf(operators);
  }

  /** What one saved call adds to its request. */
  public static AnswerReuse ofSaved(long tokens, double usd) {
    return new AnswerReuse(0, 1, tokens, usd, List.of());
  }

  /** The sum; the operators stay as they are. */
  public AnswerReuse plus(AnswerReuse more) {
    return new AnswerReuse(
        requests + more.requests,
        saved + more.saved,
        savedTokens + more.savedTokens,
        savedUsd + more.savedUsd,
        operators);
  }

  /** The same counts with the latest requests by operator. */
  public AnswerReuse withOperators(List<OperatorReuse> latest) {
    return new AnswerReuse(requests, saved, savedTokens, savedUsd, latest);
  }
}
