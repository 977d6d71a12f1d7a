package dev.abacus.optimizer.loop.event;

import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.schemas.control.ControlKey;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.QualityCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ValidationExample;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** An event that the state of a program folds. */
public sealed interface LoopEvent {

  /**
   * An event that the loop itself may cause; then its caller writes it: a sample task with its
   * metadata to the program's sample topic, a plan or an activation to the control topic, and
   * priors and what was learned to the topic of learned priors.
   */
  sealed interface Caused extends LoopEvent
      permits ControlSet, DrawnSample, Transferred, OperatorLearned {}

  /** A key of the control topic was set, by a user, the governor or the optimizer. */
  record ControlSet(ControlRecord record) implements Caused {}

  /** A key of the control topic was removed. */
  record ControlRemoved(ControlKey key) implements LoopEvent {}

  /** A validation example was added or replaced. */
  record ExampleSet(ValidationExample example) implements LoopEvent {}

  /** A validation example was removed. Samples drawn on it stay valid. */
  record ExampleRemoved(String exampleId) implements LoopEvent {}

  /** A sample task was executed. Repetitions have no effect. */
  record Observed(Observation observation) implements LoopEvent {}

  /**
   * A user set priors.
   *
   * @param json what {@link dev.abacus.optimizer.search.cost.PriorsReader} reads; null removes them
   */
  record PriorsGiven(@Nullable String json) implements LoopEvent {}

  /** Priors were transferred from other programs; null removes them. */
  record Transferred(@Nullable RoundPriors priors) implements Caused {}

  /** A search for this or another program published what it learned; null removes it. */
  record OperatorLearned(String program, String operator, @Nullable LearnedOperator learned)
      implements Caused {}

  /** An instance of the data plane reported its status. */
  record WorkerReported(InstanceStatus status) implements LoopEvent {}

  /**
   * The judge scored live outputs.
   *
   * @param byOperator counts by operator and implementation of the active plan
   */
  record Judged(Map<String, Map<String, QualityCounts>> byOperator) implements LoopEvent {}

  /** The documents that arrive were counted. */
  record Arriving(Arrivals arrivals) implements LoopEvent {}

  /** The time advanced. */
  record Tick(Instant now) implements LoopEvent {}
}
