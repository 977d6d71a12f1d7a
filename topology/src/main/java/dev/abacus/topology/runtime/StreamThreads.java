package dev.abacus.topology.runtime;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows which tasks share a stream thread. A full task that blocks its thread blocks the other
 * tasks too; {@link Member#isContended} tells whether one of them has records to process. One
 * instance per process.
 */
public final class StreamThreads {

  private final List<Member> members = new CopyOnWriteArrayList<>();

  /** Adds a task of the current thread. */
  Member join() {
    Member member = new Member(Thread.currentThread());
    members.add(member);
    return member;
  }

  /** A task on its thread. Only that thread uses it. */
  final class Member {
    private final Thread thread;
    private long receivedAt = System.nanoTime();
    private long checkedAt = System.nanoTime();
    private boolean full;

    private Member(Thread thread) {
      this.thread = thread;
    }

    /** The task received a record. */
    void recordReceived() {
      receivedAt = System.nanoTime();
    }

    /** Sets whether the task has as many pending records as it may have. */
    void full(boolean now) {
      full = now;
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
    }
  }
}
