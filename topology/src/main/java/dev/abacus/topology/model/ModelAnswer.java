package dev.abacus.topology.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The outcome of a {@link ModelRequest}: an answer or a failure. */
public sealed interface ModelAnswer extends CallOutcome<ModelAnswer> {

  /**
   * An answer.
   *
   * @param text the answer; not blank
   * @param usage tokens of the successful attempt
   * @param cost USD, including failed attempts
   * @param latency seconds, including failed attempts and pauses
   * @param attempts calls of the endpoint, this one included
   * @param logprobs log probabilities of the answer's tokens; empty if not requested or not
   *     returned
   */
  record Success(
      String text,
      Usage usage,
      double cost,
      double latency,
      int attempts,
      List<TokenLogprob> logprobs)
      implements ModelAnswer {

    public Success {
      Objects.requireNonNull(text, "text");
      Objects.requireNonNull(usage, "usage");
      logprobs = List.copyOf(logprobs);
    }

    @Override
    public @Nullable ModelFailure failure() {
      return null;
    }

    @Override
    public Success after(double earlierCost, double earlierLatency, int earlierAttempts) {
      return new Success(
          text,
          usage,
          cost + earlierCost,
          latency + earlierLatency,
          attempts + earlierAttempts,
          logprobs);
    }
  }

  /**
   * A failure.
   *
   * @param failure the reason
   * @param cost USD that was charged nevertheless
   * @param latency seconds
   * @param attempts calls of the endpoint; 0 if no request was sent
   */
  record Failed(ModelFailure failure, double cost, double latency, int attempts)
      implements ModelAnswer {

    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    /** A failure that was found before a request was sent. */
    public static Failed withoutCall(ModelFailure failure) {
      return new Failed(failure, 0, 0, 0);
    }

    @Override
    public Failed after(double earlierCost, double earlierLatency, int earlierAttempts) {
      return new Failed(
          failure, cost + earlierCost, latency + earlierLatency, attempts + earlierAttempts);
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
