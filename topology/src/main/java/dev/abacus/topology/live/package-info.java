/**
 * Live documents.
 *
 * <p>{@link dev.abacus.topology.live.DocumentTopology} builds the topology of a program: segments
 * and stateful operators. {@link dev.abacus.topology.live.DocumentWork} processes the documents of
 * a segment:
 *
 * <pre>
 *   InputRecord ── DocumentCodec ──► Envelope ── PlanExecutor ──► PlanOutcome
 *                  or Envelope.read      ▲ Checkpoint                  │
 *                                                                      ├─ Result   ─► SegmentOutputs
 *                                                                      ├─ Filtered ─► nothing
 *                                                                      └─ Failed   ─► SegmentDeadLetters
 * </pre>
 *
 * <p>{@link dev.abacus.schemas.result.ResultSchema} and {@code ResultHeaders} define what a result
 * looks like. {@link dev.abacus.topology.live.LiveJudge} scores a share of the outputs.
 */
@NullMarked
package dev.abacus.topology.live;

import org.jspecify.annotations.NullMarked;
