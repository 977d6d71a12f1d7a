package dev.abacus.topology.model;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What came of a {@link ModelRequest}: an answer or a failure, and what either took. */
public sealed interface ModelAnswer extends CallOutcome<ModelAnswer> {

  /**
   * The model answered.
   *
   * @param text the answer; not blank
   * @param usage tokens of the attempt that succeeded
   * @param cost USD, failed attempts included
   * @param latency seconds, failed attempts and pauses included
   * @param attempts calls of the endpoint, this one included
   * @param logprobs of the answer's tokens; empty if not asked for or not given
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
   * There is no answer.
   *
   * @param failure why
   * @param cost USD that was paid nevertheless
   * @param latency seconds
   * @param attempts calls of the endpoint; 0 if the request never left
   */
  record Failed(ModelFailure failure, double cost, double latency, int attempts)
      implements ModelAnswer {

    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    @Override
    public Failed after(double earlierCost, double earlierLatency, int earlierAttempts) {
      return new Failed(
          failure, cost + earlierCost, latency + earlierLatency, attempts + earlierAttempts);
    }
  }
}
