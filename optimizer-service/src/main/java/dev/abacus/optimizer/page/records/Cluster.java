package dev.abacus.optimizer.page.records;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.schemas.control.BillRecord;
import dev.abacus.schemas.control.BillSummary;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.OperatorCounts;
import dev.abacus.schemas.control.PromiseReport;
import dev.abacus.schemas.control.Rejection;
import dev.abacus.schemas.journey.Journey;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.ReviewRequest;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Program;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * What the topics say at one moment.
 *
 * @param at the time of the snapshot
 * @param programs by name, in alphabetical order
 */
public record Cluster(Instant at, NavigableMap<String, ProgramRecords> programs) {

  /**
   * What the topics say of one program.
   *
   * @param program with the objective and the budget in force
   * @param paused the pause in force; null if the program runs
   * @param active the activation in force; null before the first plan
   * @param before epoch that a rollback returns to; null if there is none
   * @param changes the latest first; compaction removes older ones
   * @param plans by epoch
   * @param refused control records that were refused and not replaced since
   * @param instances that reported within the last minute
   * @param search the optimizer's report; null before the first
   * @param governor the governor's report; null before the first
   * @param report what the active plan promises, and what live documents show; null if the
   *     optimizer has not reported it
   * @param rates over the last minute
   * @param history of the last two hours, the oldest step first
   * @param samples by operator
   * @param deadLetters the most frequent first
   * @param letters the last dead letters, the latest first
   * @param journeys the latest first
   * @param bills what was spent in each hour of the last 32 days
   * @param reviews open requests for labels by position of the document, in order of asking
   */
  public record ProgramRecords(
      Program program,
      ControlRecord.@Nullable Paused paused,
      ControlRecord.@Nullable Activated active,
      @Nullable Long before,
      List<Change> changes,
      NavigableMap<Long, PhysicalPlan> plans,
      List<Rejection> refused,
      List<InstanceStatus> instances,
      @Nullable JsonNode search,
      @Nullable JsonNode governor,
      @Nullable PromiseReport report,
      Rates rates,
      List<Step> history,
      Map<String, List<ArmSamples>> samples,
      List<DeadLetterGroup> deadLetters,
      List<DeadLetter> letters,
      List<RecordedJourney> journeys,
      List<BillRecord> bills,
      Map<String, ReviewRequest> reviews) {

    private static final Duration BILLED = Duration.ofDays(30);

    /** The plan of new documents; null before the first. */
    public @Nullable PhysicalPlan activePlan() {
      return active == null ? null : plans.get(active.epoch());
    }

    /** What was spent in the last 30 days, as {@code abacus cost} shows it. */
    public BillSummary bill(Instant now) {
      return new BillSummary(bills, now.minus(BILLED).truncatedTo(ChronoUnit.HOURS), now);
    }

    /** The step of an operator in the active plan; null if there is none. */
    public @Nullable PlanStep activeStep(String operator) {
      PhysicalPlan plan = activePlan();
      return plan == null
          ? null
          : plan.steps().stream()
              .filter(step -> step.logical().id().equals(operator))
              .findFirst()
              .orElse(null);
    }
  }

  /**
   * A record of the control topic that was taken, other than a plan.
   *
   * @param by who made the change
   */
  public record Change(Instant at, ControlRecord record, String by) {}

  /**
   * Increases of the counters of all live instances.
   *
   * @param documents finished documents per second; null if unknown
   * @param usd USD per hour for live documents; null if unknown
   * @param operators by id; without those that no instance has reported
   */
  public record Rates(
      @Nullable Double documents, @Nullable Double usd, Map<String, OperatorRate> operators) {}

  /**
   * What a program did in 30 s.
   *
   * @param documents finished ones
   * @param usd USD for live documents
   * @param sampleUsd USD for samples
   * @param plan the optimizer's last report on the active plan; null if there was none
   */
  @RecordBuilder
  public record Step(
      Instant at, long documents, double usd, double sampleUsd, @Nullable PromiseReport plan)
      implements ClusterStepBuilder.With {

    static Step none(Instant at) {
      return new Step(at, 0, 0, 0, null);
    }
  }

  /**
   * The work of one operator in the last minute. Instances that have just joined worked for less.
   *
   * @param work the increase of its counters; {@code running} is that of now
   * @param inputs per minute
   * @param outputs per minute
   * @param failures per minute
   */
  public record OperatorRate(OperatorCounts work, double inputs, double outputs, double failures) {

    static OperatorRate of(OperatorCounts work, double minutes) {
      return new OperatorRate(
          work, work.inputs() / minutes, work.outputs() / minutes, work.failures() / minutes);
    }

    /** Adds the work of another instance. */
    OperatorRate plus(OperatorRate other) {
      return new OperatorRate(
          work.plus(other.work),
          inputs + other.inputs,
          outputs + other.outputs,
          failures + other.failures);
    }
  }

  /**
   * The samples of one implementation of one operator.
   *
   * @param physical id of the implementation
   * @param count number of samples with a result
   * @param failures those without a valid answer
   * @param quality scores
   * @param cost USD
   * @param latency seconds
   * @param last number of its last sample among those of the operator, from 1 on
   */
  public record ArmSamples(
      String physical,
      int count,
      int failures,
      Moments quality,
      Moments cost,
      Moments latency,
      int last) {

    static ArmSamples none(String physical) {
      return new ArmSamples(physical, 0, 0, Moments.NONE, Moments.NONE, Moments.NONE, 0);
    }

    ArmSamples with(Observation seen, int number) {
      Double score = seen.quality();
      return new ArmSamples(
          physical,
          count + 1,
          failures + (seen.outcome() == Observation.Outcome.FAILED ? 1 : 0),
          score == null ? quality : quality.with(score),
          cost.with(seen.cost()),
          latency.with(seen.latency()),
          number);
    }
  }

  /**
   * Dead letters with the same operator and reason.
   *
   * @param operator id; empty if the letter does not name it
   * @param reason first line of the message of the last letter; the others differ in numbers only
   */
  public record DeadLetterGroup(String operator, String reason, long count, DeadLetter last) {}

  /**
   * A dead letter.
   *
   * @param id position of its record, such as {@code 0-17}
   * @param attempts of the failing call; empty if unknown
   * @param reason the message
   * @param source position of the source record; empty if unknown
   * @param payload the document, shortened to 20,000 characters
   */
  public record DeadLetter(
      String id,
      Instant at,
      String key,
      String operator,
      String attempts,
      String reason,
      String source,
      String payload) {}

  /** A journey with the position of its record, such as {@code 0-17}. */
  public record RecordedJourney(String id, Journey journey) {}
}
