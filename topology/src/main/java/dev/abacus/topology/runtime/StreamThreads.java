package dev.abacus.topology.runtime;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Knows which tasks share a stream thread. A task that is full would like to hold its thread up,
 * but that holds up the others too: {@link Seat#contended} says whether one of them had work to
 * take in the meantime. One per process.
 */
public final class StreamThreads {

  private final List<Seat> seats = new CopyOnWriteArrayList<>();

  /** A seat for a task of the current thread. */
  Seat join() {
    Seat seat = new Seat(Thread.currentThread());
    seats.add(seat);
    return seat;
  }

  /** One task on its thread; used by that thread alone. */
  final class Seat {
    private final Thread thread;
    private long arrivedAt = System.nanoTime();
    private long askedAt = System.nanoTime();
    private boolean full;

    private Seat(Thread thread) {
      this.thread = thread;
    }

    /** The task was given a record. */
    void arrived() {
      arrivedAt = System.nanoTime();
    }

    /** Whether the task has all the records that it wants. */
    void full(boolean now) {
      full = now;
    }

    /**
     * Whether a task of this thread that is not full was given a record since this was last asked.
     */
    boolean contended() {
      long since = askedAt;
      askedAt = System.nanoTime();
      for (Seat seat : seats) {
        // Seats of other threads are skipped before their fields are read, so no field is shared.
        if (seat.thread.equals(thread)
            && seat != this
            && !seat.full
            && seat.arrivedAt - since > 0) {
          return true;
        }
      }
      return false;
    }

    void leave() {
      seats.remove(this);
    }
  }
}
