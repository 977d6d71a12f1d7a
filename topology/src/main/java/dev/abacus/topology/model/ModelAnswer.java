package dev.abacus.topology.model;

import java.util.List;

/** The outcome of a {@link ModelRequest}: an answer or a failure. */
public sealed interface ModelAnswer extends CallOutcome<ModelAnswer> {

  /**
   * An answer.
   *
   * @param text the answer; not blank
   * @param logprobs log probabilities of the answer's tokens; empty if not requested or not
   *     returned
   */
  record Success(String text, ExecutionStats stats, List<TokenLogprob> logprobs)
      implements ModelAnswer {

    public Success {
      logprobs = List.copyOf(logprobs);
    }

    @Override
    public Success with(ExecutionStats others) {
      return new Success(text, others, logprobs);
    }
  }

  /** A failure and its reason. */
  record Failed(ModelFailure failure, ExecutionStats stats) implements ModelAnswer {

    /** A failure that was found before a request was sent. */
    public static Failed withoutCall(ModelFailure failure) {
      return new Failed(failure, ExecutionStats.NONE);
    }

    @Override
    public Failed with(ExecutionStats others) {
      return new Failed(failure, others);
    }
  }

  /**
   * The log probability of a token of an answer.
   *
   * @param token as text
   * @param logprob natural logarithm of its probability; at most 0
   */
  record TokenLogprob(String token, double logprob) {}
}
