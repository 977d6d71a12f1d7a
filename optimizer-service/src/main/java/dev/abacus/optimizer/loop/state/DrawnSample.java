package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.loop.state.StampedTask.SampleStamp;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import org.jspecify.annotations.Nullable;

/** A sample task that was issued, and what has become of it. */
public record DrawnSample(SampleTask task, SampleStamp stamp, Sample sample) {

  /** What was observed; null if nothing was. */
  @Nullable Observation observation() {
    return sample instanceof Sample.Observed(Observation seen) ? seen : null;
  }

  /** Whether a provider is the reason that the task has no result. */
  boolean isUnavailable() {
    Observation seen = observation();
    return seen != null && seen.outcome() == Observation.Outcome.UNAVAILABLE;
  }
}
