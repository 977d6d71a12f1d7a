/**
 * A document's way through the steps of a plan.
 *
 * <p>{@link dev.abacus.topology.execution.PlanExecutor} starts at a {@link
 * dev.abacus.topology.execution.CheckpointListener}, reports a new one after every finished
 * semantic step, and ends with a {@link dev.abacus.topology.execution.PlanOutcome}. {@link
 * dev.abacus.topology.execution.CheckpointSerializer} turns progress to bytes and back, so that a
 * restored document goes on where it stopped.
 */
@NullMarked
package dev.abacus.topology.execution;

import org.jspecify.annotations.NullMarked;
