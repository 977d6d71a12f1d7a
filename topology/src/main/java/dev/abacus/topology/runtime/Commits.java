package dev.abacus.topology.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Runs actions when the transaction of their stream thread is committed, such as counting results.
 * The actions of an aborted transaction do not run: its records are processed again. Thread-safe.
 */
public final class Commits {

  private final Map<Thread, List<Runnable>> actions = new ConcurrentHashMap<>();
  private final boolean transactional;

  private Commits(boolean transactional) {
    this.transactional = transactional;
  }

  /** Waits for {@link #committed}, which the producers of {@link TransactionalClients} call. */
  public static Commits ofTransactions() {
    return new Commits(true);
  }

  /** Runs each action at once, for a topology whose producer does not report. */
  public static Commits immediately() {
    return new Commits(false);
  }

  /** Runs an action after the next commit of this stream thread. */
  public void after(Runnable action) {
    if (transactional) {
      actions.computeIfAbsent(Thread.currentThread(), _ -> new ArrayList<>()).add(action);
    } else {
      action.run();
    }
  }

  /** The transaction of this stream thread was committed. */
  void committed() {
    List<Runnable> due = actions.remove(Thread.currentThread());
    if (due != null) {
      due.forEach(Runnable::run);
    }
  }

  /** The transaction of this stream thread was aborted, or its producer is closed. */
  void aborted() {
    actions.remove(Thread.currentThread());
  }
}
