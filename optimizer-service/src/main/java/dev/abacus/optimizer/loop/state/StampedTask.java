package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;

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
  public record SampleStamp(
      long sequence,
      long wave,
      String round,
      String chargedTo,
      String definition,
      String evidence,
      boolean alongPlan) {

    /** The stamp of a task that fills the call of a sample. */
    public SampleStamp besides(SampleStamp sample) {
      return new SampleStamp(
          sequence, wave, round, sample.chargedTo, definition, evidence, sample.alongPlan);
    }

    /** This stamp with another sequence number. */
    public SampleStamp at(long number) {
      return new SampleStamp(number, wave, round, chargedTo, definition, evidence, alongPlan);
    }
  }
}
