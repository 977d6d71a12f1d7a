package dev.abacus.topology.live;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.topology.control.PlanSlot;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.StepListener;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What the stages of one program share.
 *
 * @param avro null if no schema registry is configured
 * @param judge of a share of live outputs; null if nobody judges
 */
public record DocumentServices(
    PlanSlot slot,
    PlanExecutor executor,
    ModelClient models,
    @Nullable AvroValues avro,
    ProgramCounters counters,
    InstantSource clock,
    @Nullable LiveJudge judge) {

  /** Services without a judge of live outputs. */
  public DocumentServices(
      PlanSlot slot,
      PlanExecutor executor,
      ModelClient models,
      @Nullable AvroValues avro,
      ProgramCounters counters,
      InstantSource clock) {
    this(slot, executor, models, avro, counters, clock, null);
  }

  /** Who is to watch the next document. */
  StepListener witness(long epoch) {
    LiveJudge watching = judge;
    return watching == null ? StepListener.NONE : watching.witness(slot.state().program(), epoch);
  }
}
