package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Carries checkpoints and completions from the workers of a task to its stream thread. Events of
 * one worker keep their order. Workers add; only the stream thread polls and closes. A closed queue
 * stays empty.
 */
final class CompletionQueue {

  /** What a worker reports about its item. */
  sealed interface Event {
    WorkItem item();
  }

  /** The item can resume from this state after a restart. */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  record Checkpointed(WorkItem item, byte[] state) implements Event {}

  /** The work is done. */
  record Completed(WorkItem item, Completion completion) implements Event {}

  private final BlockingQueue<Event> events = new LinkedBlockingQueue<>();
  private volatile boolean closed;

  void add(Event event) {
    if (!closed) {
      events.add(event);
    }
  }

  /** Removes and returns all events. */
  List<Event> poll() {
    List<Event> polled = new ArrayList<>();
    if (!closed) {
      events.drainTo(polled);
    }
    return polled;
  }

  /**
   * Removes and returns all events; waits for the first one, if there is none, up to a timeout.
   *
   * @throws InterruptedException if the thread is interrupted while it waits
   */
  List<Event> poll(long timeoutNanos) throws InterruptedException {
    List<Event> polled = poll();
    if (polled.isEmpty() && !closed) {
      Event first = events.poll(timeoutNanos, TimeUnit.NANOSECONDS);
      if (first != null) {
        polled.add(first);
        events.drainTo(polled);
      }
    }
    return polled;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    events.clear();
  }
}
