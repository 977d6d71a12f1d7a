package dev.abacus.topology.codec;

import dev.abacus.schemas.catalogue.Usage;
import dev.abacus.schemas.kafka.RecordPosition;
import java.time.Instant;

/**
 * Where a document comes from and what it has cost so far.
 *
 * @param epoch epoch of the plan that processes the document in all stages; {@link #UNSTAMPED} for
 *     a document that an aggregate has just made
 * @param usage cost and tokens of the document in earlier stages
 * @param admittedAt when the document entered the program, or when an aggregate made it
 * @param topic topic of the source record; empty for a document that an aggregate made
 * @param partition partition of the source record, or -1
 * @param offset offset of the source record, or -1
 */
public record Provenance(
    long epoch, Usage usage, Instant admittedAt, String topic, int partition, long offset) {

  /** No epoch: the next segment stamps the document. */
  public static final long UNSTAMPED = 0;

  /** The provenance of a document that an aggregate makes of a group. */
  public static Provenance ofGroup(Usage usage, Instant now) {
    return new Provenance(UNSTAMPED, usage, now, "", -1, -1);
  }

  /** Whether an aggregate made the document of a group. */
  public boolean isGroup() {
    return topic.isEmpty();
  }

  /** USD spent on the document in earlier stages. */
  public double cost() {
    return usage.costUsd();
  }

  /** Sets the epoch and adds cost and tokens. */
  public Provenance with(long stampedEpoch, Usage more) {
    return new Provenance(stampedEpoch, usage.plus(more), admittedAt, topic, partition, offset);
  }

  /** The provenance of one of several documents made of this one, which share the usage equally. */
  public Provenance splitInto(int documents) {
    return new Provenance(epoch, usage.dividedBy(documents), admittedAt, topic, partition, offset);
  }

  /** The source record as {@code topic-partition@offset}; empty for a group. */
  public String source() {
    return topic.isEmpty() ? "" : new RecordPosition(topic, partition, offset).toString();
  }
}
