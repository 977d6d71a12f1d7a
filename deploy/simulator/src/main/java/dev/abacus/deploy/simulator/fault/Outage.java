package dev.abacus.deploy.simulator.fault;

import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/** A burst of failures: the next calls fail with a status of 5xx. */
public final class Outage {

  private final int status;
  private final Set<String> models;
  private final AtomicInteger left;

  /**
   * An outage of some calls.
   *
   * @param status from 500 to 599
   * @param calls number of calls that fail
   * @param models the models whose calls fail; empty for all
   */
  public Outage(int status, int calls, Set<String> models) {
    if (status < 500 || status > 599) {
      throw new IllegalArgumentException("the status of an outage is from 500 to 599");
    }
    this.status = status;
    this.models = Set.copyOf(models);
    this.left = new AtomicInteger(calls);
  }

  /** The status of a call, or 0 if the call does not fail. */
  public int next(String model) {
    boolean concerned = models.isEmpty() || models.contains(model);
    return concerned && left.getAndUpdate(count -> Math.max(0, count - 1)) > 0 ? status : 0;
  }

  /** Number of calls that will fail. */
  public int left() {
    return left.get();
  }
}
