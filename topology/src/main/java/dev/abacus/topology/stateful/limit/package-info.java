/**
 * Limit: the first documents of a stream, overall or per window of event time. {@link
 * dev.abacus.topology.stateful.limit.LimitCounter} counts, once in front of the repartition topic
 * and once behind it, in {@link dev.abacus.topology.stateful.limit.LimitProcessor}.
 */
@NullMarked
package dev.abacus.topology.stateful.limit;

import org.jspecify.annotations.NullMarked;
