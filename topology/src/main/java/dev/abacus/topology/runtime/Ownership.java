package dev.abacus.topology.runtime;

/**
 * Knows whether the tasks of an application still belong to this process. A process that was frozen
 * or cut off learns late that its tasks have another owner, who answers their documents meanwhile.
 */
@FunctionalInterface
public interface Ownership {

  /** Nobody else owns tasks. */
  Ownership ALONE = _ -> true;

  /**
   * Whether the group has confirmed that a stream thread is its member, so recently that its tasks
   * cannot have another owner. Asks the group if need be, and waits for the answer for a bounded
   * time.
   */
  boolean isConfirmed(String thread) throws InterruptedException;
}
