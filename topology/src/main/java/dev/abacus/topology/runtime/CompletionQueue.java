package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * The one way from workers to the stream thread. Letters of one worker arrive in the order in which
 * it posted them. Once closed, letters are thrown away.
 */
final class CompletionQueue {

  /** What a worker has to say about its record. */
  sealed interface Letter {
    Live live();
  }

  /** A state to go on from after a crash. */
  @SuppressWarnings("ArrayRecordComponent") // identity is meant: two letters are never compared
  record Checkpointed(Live live, byte[] state) implements Letter {}

  /** The record's work is done. */
  record Done(Live live, Completion completion) implements Letter {}

  private final BlockingQueue<Letter> letters = new LinkedBlockingQueue<>();
  private volatile boolean closed;

  void post(Letter letter) {
    if (!closed) {
      letters.add(letter);
    }
  }

  /**
   * All letters that are there; if there is none, waits for one so many nanoseconds.
   *
   * @throws InterruptedException when interrupted while waiting
   */
  List<Letter> take(long waitNanos) throws InterruptedException {
    List<Letter> taken = take();
    if (taken.isEmpty()) {
      Letter first = letters.poll(waitNanos, TimeUnit.NANOSECONDS);
      if (first != null) {
        taken.add(first);
        letters.drainTo(taken);
      }
    }
    return taken;
  }

  /** All letters that are there. */
  List<Letter> take() {
    List<Letter> taken = new ArrayList<>();
    letters.drainTo(taken);
    return taken;
  }

  boolean isClosed() {
    return closed;
  }

  void close() {
    closed = true;
    letters.clear();
  }
}
