/**
 * Join of two streams. Read {@code JoinBuffer} (documents that may still find a partner), {@link
 * dev.abacus.topology.stateful.join.StreamJoinProcessor}, which forms the pairs, and {@link
 * dev.abacus.topology.stateful.join.UnmatchedProcessor}, which completes a left join whose pairs a
 * model decides.
 */
@NullMarked
package dev.abacus.topology.stateful.join;

import org.jspecify.annotations.NullMarked;
