package dev.abacus.topology.live;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.codec.Envelope;
import dev.abacus.topology.control.ProgramPlans;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.execution.StepListener;
import dev.abacus.topology.journey.Journeys;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.telemetry.ProgramCounters;
import dev.abacus.topology.telemetry.Tracing;
import java.time.InstantSource;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The services that the stages of one program share.
 *
 * @param avro null if no schema registry is configured
 * @param affordable whether the program may spend more now; quick
 * @param range the documents that the topology processes
 * @param judge scores a share of the live outputs; null if none are scored
 * @param tracing makes a span of each document
 * @param journeys records some documents; null if none are recorded
 * @param learning what live documents teach; null if there is no embedder to learn with
 */
public record DocumentServices(
    ProgramPlans plans,
    PlanExecutor executor,
    ModelClient models,
    @Nullable AvroValues avro,
    ProgramCounters counters,
    InstantSource clock,
    @Nullable LiveJudge judge,
    BooleanSupplier affordable,
    Tracing tracing,
    SourceRange range,
    @Nullable Journeys journeys,
    @Nullable LiveLearning learning) {

  /** Ends the judge and the journeys. */
  public void close() {
    if (judge != null) {
      judge.close();
    }
    if (journeys != null) {
      journeys.close();
    }
  }

  /** The listener of a document. */
  StepListener listener(PhysicalPlan plan, Envelope document) {
    LiveJudge scoring = judge;
    return scoring == null
        ? StepListener.NONE
        : scoring.listener(plans.state().program(), plan, document);
  }

  /** What the next document teaches; null for nothing. */
  LiveLearning.@Nullable OfDocument learning(PhysicalPlan plan, Envelope document) {
    Program program = plans.state().program();
    return learning == null
            || program == null
            || program.learning() == null
            || document.provenance().isGroup()
        ? null
        : learning.begin(plan, document);
  }
}
