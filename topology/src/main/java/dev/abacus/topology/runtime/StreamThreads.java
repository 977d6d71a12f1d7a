package dev.abacus.topology.runtime;

import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.kafka.common.TopicPartition;
import org.jspecify.annotations.Nullable;

/**
 * Knows which tasks share a stream thread. A full task that blocks its thread blocks the other
 * tasks too; {@link Member#isContended} tells whether one of them has records to process. One
 * instance per process.
 */
public final class StreamThreads {

  /** A thread without pending records still has to commit the last ones soon. */
  private static final long STAYS_BUSY_NANOS = 1_000_000_000;

  private final List<Member> members = new CopyOnWriteArrayList<>();

  /** When a task of a thread last had pending records. Each thread uses its own entry. */
  private final Map<Thread, Long> busyAt = new ConcurrentHashMap<>();

  /** Whether a task of the current thread has pending records, or had some in the last second. */
  boolean isBusy() {
    Long last = busyAt.get(Thread.currentThread());
    return last != null && System.nanoTime() - last < STAYS_BUSY_NANOS;
  }

  /** Adds a task of the current thread. */
  Member join() {
    Member member = new Member(Thread.currentThread());
    members.add(member);
    return member;
  }

  /** The partitions of which the tasks of the current thread should receive no records now. */
  public Set<TopicPartition> held() {
    Set<TopicPartition> held = new HashSet<>();
    for (Member member : members) {
      if (member.thread.equals(Thread.currentThread()) && member.holding) {
        held.addAll(member.sources);
      }
    }
    return held;
  }

  /** Whether tasks of the current thread should receive no records of a partition now. */
  public boolean isHeld(int partition) {
    return held().stream().anyMatch(source -> source.partition() == partition);
  }

  /** A task on its thread. Only that thread uses it. */
  final class Member {
    private final Thread thread;
    private long receivedAt = System.nanoTime();
    private long checkedAt = System.nanoTime();
    private boolean full;
    private boolean holding;

    /** The partitions that the task has received records of. */
    private final Set<TopicPartition> sources = new HashSet<>();

    private Member(Thread thread) {
      this.thread = thread;
    }

    /**
     * The task received a record.
     *
     * @param source null if it is not known
     */
    void recordReceived(@Nullable TopicPartition source) {
      receivedAt = System.nanoTime();
      if (source != null) {
        sources.add(source);
      }
    }

    /**
     * Sets the state of the task.
     *
     * @param some whether it has pending records
     * @param most whether it has as many as it may have
     * @param hold whether it should receive no more, because it has some in its store alone
     */
    void pending(boolean some, boolean most, boolean hold) {
      full = most;
      holding = hold;
      if (some) {
        busyAt.put(thread, System.nanoTime());
      }
    }

    /**
     * Whether another task of this thread, one that is not full, received a record since the last
     * call.
     */
    boolean isContended() {
      long since = checkedAt;
      checkedAt = System.nanoTime();
      for (Member other : members) {
        // Skips members of other threads before it reads their fields, so no field is shared.
        if (other.thread.equals(thread)
            && other != this
            && !other.full
            && other.receivedAt - since > 0) {
          return true;
        }
      }
      return false;
    }

    void leave() {
      members.remove(this);
      if (members.stream().noneMatch(other -> other.thread.equals(thread))) {
        busyAt.remove(thread);
      }
    }
  }
}
