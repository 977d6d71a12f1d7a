package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.observation.ValidationExample;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that the loop of one program learns. */
public sealed interface LoopEvent {

  /** A piece of desired state was set: by a user, or by the optimizer itself (plan, active). */
  record ControlSet(ControlRecord record) implements LoopEvent {}

  /** A piece of desired state was removed. */
  record ControlRemoved(ControlKey key) implements LoopEvent {}

  /** A validation example came, or replaced the one of the same id. */
  record ExampleSet(ValidationExample example) implements LoopEvent {}

  /** A validation example was removed. Samples that were drawn on it stay valid. */
  record ExampleRemoved(String exampleId) implements LoopEvent {}

  /** A sample task is on its topic. A repetition changes nothing. */
  record SampleIssued(SampleTask task, SampleStamp stamp) implements LoopEvent {}

  /** A sample task was carried out. A repetition changes nothing. */
  record Observed(Observation observation) implements LoopEvent {}

  /**
   * What a user believes of the implementations before they are sampled.
   *
   * @param json what {@link dev.abacus.optimizer.search.cost.PriorsReader} reads; null if the user
   *     takes it back
   */
  record PriorsGiven(@Nullable String json) implements LoopEvent {}

  /** What the search took over from other programs; null to forget it. */
  record Transferred(@Nullable BelievedPriors priors) implements LoopEvent {}

  /** What the search for this or another program has learnt; null if it is to be forgotten. */
  record Lesson(String program, String operator, @Nullable LearntOperator learnt)
      implements LoopEvent {}

  /** Time goes by. */
  record Tick(Instant now) implements LoopEvent {}
}
