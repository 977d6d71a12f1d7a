package dev.abacus.optimizer.loop.event;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Evidence.Embedded;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import io.soabase.recordbuilder.core.RecordBuilder;
import org.jspecify.annotations.Nullable;

/**
 * A sample task with its metadata, and what has become of it. As an event: it was issued;
 * repetitions have no effect.
 */
public record DrawnSample(SampleTask task, SampleStamp stamp, Sample sample)
    implements LoopEvent.Caused {

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
      implements DrawnSampleSampleStampBuilder.With {}

  /** A task that was not observed yet. */
  public DrawnSample(SampleTask task, SampleStamp stamp) {
    this(task, stamp, new Sample.Outstanding());
  }

  /** What was observed; null if nothing was. */
  public @Nullable Observation observation() {
    return sample instanceof Sample.Observed(Observation seen) ? seen : null;
  }

  /**
   * The call of a model that was observed, at the cost and the latency of the call alone; null if
   * there is none. A cascade that passes a document to its model makes the same call as model
   * selection, so a sample of either measures both.
   */
  public @Nullable Observation call(String model) {
    Observation seen = observation();
    return switch (task.physical()) {
      case ModelSelection selection
          when selection.reasoning() == null && selection.model().equals(model) ->
          seen;
      case Cascade cascade when cascade.classifier() == null && cascade.model().equals(model) ->
          seen == null ? null : withoutFeatures(seen, cascade);
      case PhysicalOperator _ -> null;
    };
  }

  /** Null if the part of the features in the cost is unknown: that of a proxy without evidence. */
  private static @Nullable Observation withoutFeatures(Observation seen, Cascade cascade) {
    if (seen.evidence() instanceof Embedded(var _, var _, var _, var _, var seconds, var usd)) {
      return seen.toBuilder()
          .cost(Math.max(0, seen.cost() - (usd == null ? 0 : usd)))
          .latency(Math.max(0, seen.latency() - (seconds == null ? 0 : seconds)))
          .build();
    }
    return cascade.chatModels().size() == 1 ? seen : null;
  }

  /** Whether a provider is the reason that the task has no result. */
  public boolean isUnavailable() {
    Observation seen = observation();
    return seen != null && seen.outcome() == Observation.Outcome.UNAVAILABLE;
  }
}
