/**
 * Runs the steps of a plan on a document.
 *
 * <p>Reading order: {@link dev.abacus.topology.execution.PlanExecutor} starts at a {@link
 * dev.abacus.topology.execution.Checkpoint}, reports a new checkpoint after every semantic step,
 * and ends with a {@link dev.abacus.topology.execution.PlanOutcome}. {@link
 * dev.abacus.topology.execution.CheckpointSerializer} stores checkpoints, so that a document
 * resumes after a restart.
 */
@NullMarked
package dev.abacus.topology.execution;

import org.jspecify.annotations.NullMarked;
