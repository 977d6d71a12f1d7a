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

  public AnswerReuse {
    operators = operators == null ? List.of() : List.copyOf(operators);
  }
}
