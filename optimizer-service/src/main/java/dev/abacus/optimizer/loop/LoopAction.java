package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.loop.state.SampleStamp;
import dev.abacus.optimizer.sampling.prior.BelievedPriors;
import dev.abacus.optimizer.sampling.prior.LearntOperator;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.observation.SampleTask;

/** Something that the loop of one program wants done. */
public sealed interface LoopAction {

  /** Put a task, with its stamp, on the program's sample topic. */
  record IssueSample(SampleTask task, SampleStamp stamp) implements LoopAction {}

  /** Put a plan or an activation on the control topic. */
  record Publish(ControlRecord record) implements LoopAction {}

  /** Put what is taken over from other programs on the topic of what was learnt. */
  record Believe(String program, BelievedPriors priors) implements LoopAction {}

  /** Put what was learnt of an operator on the topic of what was learnt. */
  record Teach(String program, String operator, LearntOperator learnt) implements LoopAction {}

  /** The event that tells of it once it is carried out. */
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
