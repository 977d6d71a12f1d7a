package dev.abacus.topology.model;

import java.util.List;

/**
 * Hears when the calls of a piece of work, such as a document, wait until their model may be
 * called. The work can then give up resources that it does not need while it waits. Calls of a
 * piece of work run on several threads, so implementations are thread-safe. {@link #waiting} and
 * {@link #resumed} must not block or throw.
 */
public interface WaitListener {

  /** Ignores all waits. */
  WaitListener NONE = new WaitListener() {};

  /**
   * The listener of the work of a thread. A thread that makes calls for the work of another thread
   * binds it again.
   */
  ScopedValue<WaitListener> CURRENT = ScopedValue.newInstance();

  /** A call of this work waits. Several may wait at the same time. */
  default void waiting() {}

  /** A call of this work waits no longer. */
  default void resumed() {}

  /**
   * A request for this work is about to be sent. Blocks until it may be.
   *
   * @throws InterruptedException if nobody here needs the answer any more
   */
  default void attempt() throws InterruptedException {}

  /** The listener of the work of this thread; {@link #NONE} if it has none. */
  static WaitListener current() {
    return CURRENT.orElse(NONE);
  }

  /** One listener for work that several pieces of work wait for. */
  static WaitListener all(List<WaitListener> listeners) {
    List<WaitListener> all = List.copyOf(listeners);
    return new WaitListener() {
      @Override
      public void waiting() {
        all.forEach(WaitListener::waiting);
      }

      @Override
      public void resumed() {
        all.forEach(WaitListener::resumed);
      }

      // One that needs the answer suffices.
      @Override
      public void attempt() throws InterruptedException {
        InterruptedException last = null;
        for (WaitListener one : all) {
          try {
            one.attempt();
            return;
          } catch (InterruptedException e) {
            last = e;
          }
        }
        if (last != null) {
          throw last;
        }
      }
    };
  }
}
