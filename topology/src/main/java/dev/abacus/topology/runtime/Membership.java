package dev.abacus.topology.runtime;

/**
 * What the consumer of a stream thread knows of its membership in the group.
 *
 * @param member whether it has a generation of the group
 * @param confirmedAt a time before the broker confirmed it, as of {@link System#nanoTime}
 * @param sessionNanos time after which the broker gives the partitions to others
 */
record Membership(boolean member, long confirmedAt, long sessionNanos) {

  boolean isCurrent(long now) {
    return member && now - confirmedAt < sessionNanos;
  }
}
