package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.SampleTask;

/** An action that {@link OptimizerLoop} asks its caller to execute. */
public sealed interface LoopAction {

  /** Write a sample task with its metadata to the program's sample topic. */
  record IssueSample(SampleTask task, SampleStamp stamp) implements LoopAction {}

  /** Write a plan or an activation to the control topic. */
  record Publish(ControlRecord record) implements LoopAction {}

  /** Write the priors transferred from other programs to the topic of learnt priors. */
  record Believe(String program, BelievedPriors priors) implements LoopAction {}

  /** Write what was learnt of an operator to the topic of learnt priors. */
  record Teach(String program, String operator, LearntOperator learnt) implements LoopAction {}

  /** The event that reports the execution of this action. */
  default LoopEvent carriedOut() {
    return switch (this) {
      case IssueSample(SampleTask task, SampleStamp stamp) ->
          new LoopEvent.SampleIssued(task, stamp);
      case Publish(ControlRecord record) -> new LoopEvent.ControlSet(record);
      case Believe(String _, BelievedPriors priors) -> new LoopEvent.Transferred(priors);
      case Teach(String program, String operator, LearntOperator learnt) ->
          new LoopEvent.Lesson(program, operator, learnt);
    };
  }
}
