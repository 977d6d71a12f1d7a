package dev.abacus.topology.model;

import dev.abacus.schemas.catalogue.TokenCounts;
import java.util.List;

/** The outcome of a {@link ModelRequest}: an answer or a failure. */
public sealed interface ModelAnswer extends CallOutcome<ModelAnswer> {

  /**
   * An answer.
   *
   * @param text the answer; not blank
   * @param tokens by kind, including failed attempts
   * @param cost USD, including failed attempts
   * @param latency seconds, including failed attempts and pauses
   * @param attempts calls of the endpoint, this one included
   * @param logprobs log probabilities of the answer's tokens; empty if not requested or not
   *     returned
   */
  record Success(
      String text,
      TokenCounts tokens,
      double cost,
      double latency,
      int attempts,
      List<TokenLogprob> logprobs)
      implements ModelAnswer {

    public Success {
      logprobs = List.copyOf(logprobs);
    }

    @Override
    public Success with(TokenCounts others, double usd, double seconds, int calls) {
      return new Success(text, others, usd, seconds, calls, logprobs);
    }
  }

  /**
   * A failure.
   *
   * @param failure the reason
   * @param tokens by kind that were charged nevertheless
   * @param cost USD that was charged nevertheless
   * @param latency seconds
   * @param attempts calls of the endpoint; 0 if no request was sent
   */
  record Failed(ModelFailure failure, TokenCounts tokens, double cost, double latency, int attempts)
      implements ModelAnswer {

    /** A failure without known tokens. */
    public Failed(ModelFailure failure, double cost, double latency, int attempts) {
      this(failure, TokenCounts.NONE, cost, latency, attempts);
    }

    /** A failure that was found before a request was sent. */
    public static Failed withoutCall(ModelFailure failure) {
      return new Failed(failure, 0, 0, 0);
    }

    @Override
    public Failed with(TokenCounts others, double usd, double seconds, int calls) {
      return new Failed(failure, others, usd, seconds, calls);
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
