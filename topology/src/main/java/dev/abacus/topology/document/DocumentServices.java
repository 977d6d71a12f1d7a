package dev.abacus.topology.document;

import dev.abacus.schemas.avro.AvroValues;
import dev.abacus.topology.control.PlanSlot;
import dev.abacus.topology.execution.PlanExecutor;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.telemetry.ProgramCounters;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * What the stages of one program share.
 *
 * @param avro null if no schema registry is configured
 */
public record DocumentServices(
    PlanSlot slot,
    PlanExecutor executor,
    ModelClient models,
    @Nullable AvroValues avro,
    ProgramCounters counters,
    InstantSource clock) {}
