package dev.abacus.topology.runtime;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;
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

  /** A stream thread sees within this time that it got tasks, or is paused or stopped. */
  private static final Duration IDLE_POLL = Duration.ofMillis(100);

  private static final long LONG_IDLE_NANOS = 30_000_000_000L;

  /**
   * As {@link #IDLE_POLL}, of a thread whose tasks have had no records for {@link
   * #LONG_IDLE_NANOS}.
   */
  private static final Duration LONG_IDLE_POLL = Duration.ofMillis(500);

  private final LongSupplier nanoTime;
  private final List<Member> members = new CopyOnWriteArrayList<>();

  /** When a task of a thread last had pending records. Each thread uses its own entry. */
  private final Map<Thread, Long> busyAt = new ConcurrentHashMap<>();

  /** Without threads; time is monotonic. */
  public StreamThreads() {
    this(System::nanoTime);
  }

  StreamThreads(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
  }

  /**
   * How long the consumer of the current thread may wait for records: not at all while a task has
   * pending records or had some in the last second, and longer if none had any for long.
   */
  Duration longestPoll() {
    Long last = busyAt.get(Thread.currentThread());
    if (last == null) {
      return IDLE_POLL;
    }
    long idle = nanoTime.getAsLong() - last;
    if (idle < STAYS_BUSY_NANOS) {
      return Duration.ZERO;
    }
    return idle < LONG_IDLE_NANOS ? IDLE_POLL : LONG_IDLE_POLL;
  }

  /** Time for which no task of these threads has had pending records. */
  public Duration idle(Set<String> names) {
    long now = nanoTime.getAsLong();
    return Duration.ofNanos(
        busyAt.entrySet().stream()
            .filter(thread -> names.contains(thread.getKey().getName()))
            .mapToLong(thread -> now - thread.getValue())
            .min()
            .orElse(Long.MAX_VALUE));
  }

  /** Adds a task of the current thread. */
  Member join() {
    Member member = new Member(Thread.currentThread());
    busyAt.putIfAbsent(member.thread, nanoTime.getAsLong());
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
    private long receivedAt = nanoTime.getAsLong();
    private long checkedAt = nanoTime.getAsLong();
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
      receivedAt = nanoTime.getAsLong();
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
        busyAt.put(thread, nanoTime.getAsLong());
      }
    }

    /**
     * Whether another task of this thread, one that is not full, received a record since the last
     * call.
     */
    boolean isContended() {
      long since = checkedAt;
      checkedAt = nanoTime.getAsLong();
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
