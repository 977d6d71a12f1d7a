/**
 * The operators that see several documents: limit, aggregate, join of two streams. They break a
 * program into segments, and run on the stream thread with a store, since they call no model.
 *
 * <pre>
 *   segment ──► Entrance ──► (internal topic) ──► Limit- / Aggregate- / StreamJoinProcessor ──► segment
 *               keys                              one group's documents in one place
 * </pre>
 *
 * <p>Read {@link dev.abacus.topology.stateful.TimeKeeper} and {@code Watermarks} first: windows
 * close by event time, which is the least of what the partitions before have reached, not the
 * largest timestamp that has come by. Then {@link dev.abacus.topology.stateful.BreakerNodes}, which
 * puts a stateful operator into a topology; {@code Entrance} with {@code InternalKey}; and the
 * three processors: {@code LimitProcessor} with {@code LimitCount}; {@code AggregateProcessor} with
 * {@code Windows}, {@code Pane}, {@code Panes} and {@code MemberBatches} (what a group comes to is
 * in {@link dev.abacus.schemas.group}); {@code StreamJoinProcessor} with {@code JoinBuffer}, and
 * {@code UnmatchedProcessor} for left joins that a model decides.
 *
 * <p>Exactly once: the store, the topics on both sides and the offsets commit in one transaction.
 */
@NullMarked
package dev.abacus.topology.stateful;

import org.jspecify.annotations.NullMarked;
