package dev.abacus.topology;

import dev.abacus.topology.runtime.Ownership;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the group of a Kafka Streams application which of its stream threads are members, when calls
 * start. A member loses its tasks after its session timeout at the earliest, so an answer is good
 * for two thirds of it: the last heartbeat may have been sent a third before the question. It is
 * renewed after one third. A group without calls is not asked. Works with both group protocols.
 */
final class GroupMembership implements Ownership {

  private static final Logger LOG = LoggerFactory.getLogger(GroupMembership.class);

  /** Shortest time between two questions, and longest wait for an answer. */
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(200);

  private final String group;
  private final Callable<Set<String>> clients;
  private final LongSupplier nanoTime;
  private final long thirdNanos;

  // Guarded by this.
  private Set<String> members = Set.of();
  private long confirmedAt;
  private long askedAt;
  private boolean asking;

  /**
   * @param clients asks the group for the client ids of its members
   * @param nanoTime a monotonic clock, which goes on while the process is frozen
   */
  GroupMembership(
      String group, Duration sessionTimeout, Callable<Set<String>> clients, LongSupplier nanoTime) {
    this.group = group;
    this.clients = clients;
    this.nanoTime = nanoTime;
    this.thirdNanos = sessionTimeout.toNanos() / 3;
    this.askedAt = nanoTime.getAsLong() - PAUSE_NANOS;
    this.confirmedAt = nanoTime.getAsLong() - 2 * thirdNanos;
  }

  @Override
  public synchronized boolean isConfirmed(String thread) throws InterruptedException {
    if (age() >= thirdNanos) {
      ask();
    }
    long deadline = System.nanoTime() + PAUSE_NANOS;
    while (!isMember(thread) && System.nanoTime() - deadline < 0) {
      ask();
      TimeUnit.NANOSECONDS.timedWait(this, deadline - System.nanoTime());
    }
    return isMember(thread);
  }

  private long age() {
    return nanoTime.getAsLong() - confirmedAt;
  }

  private boolean isMember(String thread) {
    // Kafka Streams names the consumer of a thread so, with both protocols.
    return age() < 2 * thirdNanos && members.contains(thread + "-consumer");
  }

  private void ask() {
    long now = nanoTime.getAsLong();
    if (!asking && now - askedAt >= PAUSE_NANOS) {
      asking = true;
      askedAt = now;
      Thread.ofVirtual().name(group + "-membership").start(() -> ask(now));
    }
  }

  private void ask(long now) {
    Set<String> answer = null;
    try {
      answer = clients.call();
    } catch (Exception e) { // Calls wait until the group answers.
      LOG.warn("Cannot ask for the members of group '{}': {}", group, e.toString());
    } finally {
      synchronized (this) {
        asking = false;
        if (answer != null) {
          members = answer;
          confirmedAt = now;
        }
        notifyAll();
      }
    }
  }
}
