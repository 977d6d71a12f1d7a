/**
 * Aggregate: one document per group and window. Read {@code WindowAssigner} (which windows a
 * timestamp belongs to), {@code Pane} (the state of one group in one window), {@code PaneStore},
 * and {@link dev.abacus.topology.stateful.aggregate.AggregateProcessor}.
 */
@NullMarked
package dev.abacus.topology.stateful.aggregate;

import org.jspecify.annotations.NullMarked;
