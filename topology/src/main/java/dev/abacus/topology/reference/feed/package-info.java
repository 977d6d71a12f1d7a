/**
 * Reads references from Kafka.
 *
 * <p>Reading order: {@link dev.abacus.topology.reference.feed.ReferenceTopology} embeds items with
 * {@link dev.abacus.topology.reference.feed.ReferenceWork}; the instances share this work, exactly
 * once. {@link dev.abacus.topology.reference.feed.ReferenceFollower} loads the embedded items into
 * the memory of every instance; {@code AwaitedItems} detects when all have arrived.
 */
@NullMarked
package dev.abacus.topology.reference.feed;

import org.jspecify.annotations.NullMarked;
