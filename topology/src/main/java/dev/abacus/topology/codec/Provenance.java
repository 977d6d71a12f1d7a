package dev.abacus.topology.codec;

import java.time.Instant;

/**
 * A document's way so far.
 *
 * @param epoch of the plan that it is processed by, from its entry to its end; {@link #UNSTAMPED}
 *     for what a stateful operator has just made of several documents
 * @param cost USD spent on it in the stages before
 * @param admittedAt when it entered the program, or was made of others
 * @param topic of the source record; empty if it was made of several
 * @param partition of that topic, or -1
 * @param offset in that partition, or -1
 */
public record Provenance(
    long epoch, double cost, Instant admittedAt, String topic, int partition, long offset) {

  /** No epoch yet: the next segment stamps it. */
  public static final long UNSTAMPED = 0;

  /** The way of a document that was made of several just now. */
  public static Provenance ofGroup(double cost, Instant now) {
    return new Provenance(UNSTAMPED, cost, now, "", -1, -1);
  }

  /** Whether it was made of several documents. */
  public boolean isGroup() {
    return topic.isEmpty();
  }

  /** The way under a plan, after so much more was spent. */
  public Provenance with(long stampedEpoch, double moreCost) {
    return new Provenance(stampedEpoch, cost + moreCost, admittedAt, topic, partition, offset);
  }

  /** The way of one of several documents that were made of this one: the cost is shared. */
  public Provenance splitInto(int siblings) {
    return new Provenance(epoch, cost / siblings, admittedAt, topic, partition, offset);
  }

  /** The source record as {@code topic-partition@offset}; empty if there is not one. */
  public String source() {
    return topic.isEmpty() ? "" : "%s-%d@%d".formatted(topic, partition, offset);
  }
}
