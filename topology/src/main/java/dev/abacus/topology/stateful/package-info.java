/**
 * Operators that see more than one document at a time: limit, aggregate and join of two streams.
 * They split a program into segments. They call no model and run on the stream thread, over
 * changelogged stores.
 *
 * <pre>
 *   segment ──► RepartitionProcessor ──► (ID-repartition) ──► Limit- / Aggregate- /   ──► segment
 *               sets the key             documents with one   StreamJoinProcessor
 *                                        key, one partition
 * </pre>
 *
 * <p>Read the package {@code time} first: an operator acts on event time, which is the minimum of
 * the watermarks of its input partitions, not the largest timestamp seen. Then {@link
 * dev.abacus.topology.stateful.StatefulOperators}, which adds an operator to a topology, and the
 * packages {@code limit}, {@code aggregate} and {@code join} in this order.
 */
@NullMarked
package dev.abacus.topology.stateful;

import org.jspecify.annotations.NullMarked;
