/**
 * Limit: the first documents of a stream, overall or per window of event time. {@link
 * dev.abacus.topology.stateful.limit.LimitCounter} counts, once in front of the repartition topic
 * and once behind it, in {@link dev.abacus.topology.stateful.limit.LimitProcessor}.
 *
 * <p>With an order, {@link dev.abacus.topology.stateful.limit.OrderedLimitProcessor} keeps the
 * documents of least rank per window, in a store whose keys are in the order of {@link
 * dev.abacus.topology.stateful.limit.SortKey}.
 */
@NullMarked
package dev.abacus.topology.stateful.limit;

import org.jspecify.annotations.NullMarked;
