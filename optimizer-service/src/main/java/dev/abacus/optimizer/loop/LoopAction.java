package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.sampling.prior.LearnedOperator;
import dev.abacus.optimizer.sampling.prior.RoundPriors;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.SampleTask;

/** An action that {@link OptimizerLoop} asks its caller to execute. */
public sealed interface LoopAction {

  /** Write a sample task with its metadata to the program's sample topic. */
  record IssueSample(SampleTask task, SampleStamp stamp) implements LoopAction {}

  /** Write a plan or an activation to the control topic. */
  record Publish(ControlRecord record) implements LoopAction {}

  /** Write the priors transferred from other programs to the topic of learned priors. */
  record PublishPriors(String program, RoundPriors priors) implements LoopAction {}

  /** Write what was learned of an operator to the topic of learned priors. */
  record PublishLearned(String program, String operator, LearnedOperator learned)
      implements LoopAction {}

  /** The event that reports the execution of this action. */
  default LoopEvent carriedOut() {
    return switch (this) {
      case IssueSample(SampleTask task, SampleStamp stamp) ->
          new LoopEvent.SampleIssued(task, stamp);
      case Publish(ControlRecord record) -> new LoopEvent.ControlSet(record);
      case PublishPriors(String _, RoundPriors priors) -> new LoopEvent.Transferred(priors);
      case PublishLearned(String program, String operator, LearnedOperator learned) ->
          new LoopEvent.OperatorLearned(program, operator, learned);
    };
  }
}
