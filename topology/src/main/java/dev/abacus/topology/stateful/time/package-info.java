/**
 * Event time, and what all stateful operators share.
 *
 * <p>Reading order: {@link dev.abacus.topology.stateful.time.WatermarkGenerator} emits watermarks
 * behind each source; {@link dev.abacus.topology.stateful.time.WatermarkTracker} combines the
 * watermarks of an operator's input partitions; {@link
 * dev.abacus.topology.stateful.time.EventTimeProcessor} is the base of the operators and separates
 * documents from watermarks by their {@link dev.abacus.topology.stateful.time.RepartitionKey}. Each
 * operator declares its stores as {@link dev.abacus.topology.stateful.time.OperatorStore}.
 */
@NullMarked
package dev.abacus.topology.stateful.time;

import org.jspecify.annotations.NullMarked;
