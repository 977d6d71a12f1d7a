package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;
import io.soabase.recordbuilder.core.RecordBuilder;

/** A sample task with its metadata. As an event: it was issued; repetitions have no effect. */
public record StampedTask(SampleTask task, SampleStamp stamp) implements LoopEvent.Caused {

  /**
   * Metadata of a sample task for the optimizer, in a record header. The data plane ignores it.
   *
   * @param sequence sequence number of the task within the program
   * @param wave number of the wave; tasks of one wave are issued together
   * @param round the {@code reoptimize} token whose budget pays for it; empty before the first
   *     token
   * @param chargedTo id of the operator whose share of the budget pays for it: its own operator, or
   *     one downstream that needs its output as input
   * @param definition hash of the operator, its metrics and the judge
   * @param evidence hash of the example's document and label
   * @param alongPlan whether its input is the output of a plan that is run end to end; such a
   *     sample measures the plan, not the implementation
   */
  @RecordBuilder
  public record SampleStamp(
      long sequence,
      long wave,
      String round,
      String chargedTo,
      String definition,
      String evidence,
      boolean alongPlan)
      implements StampedTaskSampleStampBuilder.With {}
}
