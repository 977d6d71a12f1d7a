/**
 * A reference's way through Kafka. {@link dev.abacus.topology.reference.feed.ReferenceTopology}
 * embeds items with {@link dev.abacus.topology.reference.feed.ReferenceWork}, exactly once and
 * shared among instances; {@link dev.abacus.topology.reference.feed.ReferenceFollower} reads what
 * was embedded into memory, on every instance, and tells with {@code AwaitedItems} when that is
 * all.
 */
@NullMarked
package dev.abacus.topology.reference.feed;

import org.jspecify.annotations.NullMarked;
