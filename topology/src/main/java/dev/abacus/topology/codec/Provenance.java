package dev.abacus.topology.codec;

import java.time.Instant;

/**
 * Where a document comes from and what it has cost so far.
 *
 * @param epoch epoch of the plan that processes the document in all stages; {@link #UNSTAMPED} for
 *     a document that an aggregate has just made
 * @param cost USD spent on the document in earlier stages
 * @param admittedAt when the document entered the program, or when an aggregate made it
 * @param topic topic of the source record; empty for a document that an aggregate made
 * @param partition partition of the source record, or -1
 * @param offset offset of the source record, or -1
 */
public record Provenance(
    long epoch, double cost, Instant admittedAt, String topic, int partition, long offset) {

  /** No epoch: the next segment stamps the document. */
  public static final long UNSTAMPED = 0;

  /** The provenance of a document that an aggregate makes of a group. */
  public static Provenance ofGroup(double cost, Instant now) {
    return new Provenance(UNSTAMPED, cost, now, "", -1, -1);
  }

  /** Whether an aggregate made the document of a group. */
  public boolean isGroup() {
    return topic.isEmpty();
  }

  /** Sets the epoch and adds a cost in USD. */
  public Provenance with(long stampedEpoch, double moreCost) {
    return new Provenance(stampedEpoch, cost + moreCost, admittedAt, topic, partition, offset);
  }

  /** The provenance of one of several documents made of this one, which share the cost equally. */
  public Provenance splitInto(int documents) {
    return new Provenance(epoch, cost / documents, admittedAt, topic, partition, offset);
  }

  /** The source record as {@code topic-partition@offset}; empty for a group. */
  public String source() {
    return topic.isEmpty() ? "" : "%s-%d@%d".formatted(topic, partition, offset);
  }
}
