package dev.abacus.deploy.job;

import dev.abacus.schemas.control.InstanceStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Detects that a data plane is idle, if records and counters do not tell that a job is complete.
 *
 * <p>An unfinished document is either on a topic that is not consumed to its end, or held by an
 * instance. One check of topics and instances can miss a document that moves from a topic to an
 * instance, but at most once per topic on its way. So one round consists of two steps: all topics
 * are consumed to their ends; then every instance reports that it holds no document. The data plane
 * is idle after one more round than a document has topics on its way, without a new record or a
 * changed counter in between.
 */
final class IdleDetector {

  /** The first report after a check of the topics may be older than the check. */
  private static final int REPORTS = 2;

  /** States in which an instance may not have read yet which documents it holds. */
  private static final Set<String> RESTORING = Set.of("STARTING", "CREATED", "REBALANCING");

  private final int rounds;
  private final Map<String, Integer> awaited = new HashMap<>();
  private int done;

  /**
   * @param statefulOperators number of stateful operators; a document moves from a topic to an
   *     instance once more
   */
  IdleDetector(int statefulOperators) {
    this.rounds = statefulOperators + 2;
  }

  /** A record arrived, or a counter changed: starts over. */
  void moved() {
    done = 0;
    awaited.clear();
  }

  /** Whether the next step is to check the lag of the topics. */
  boolean needsLag() {
    return awaited.isEmpty() && !reached();
  }

  /** States that all topics are consumed to their ends while these instances are live. */
  void consumed(Collection<InstanceStatus> instances) {
    instances.forEach(status -> awaited.put(status.instance(), REPORTS));
  }

  /**
   * Registers a status report.
   *
   * @param live the instances that live; others are awaited no longer
   */
  void report(InstanceStatus status, Collection<InstanceStatus> live) {
    if (status.pending() > 0 || status.inFlight() > 0 || RESTORING.contains(status.state())) {
      moved();
    } else if (!awaited.isEmpty()) {
      awaited.keySet().retainAll(live.stream().map(InstanceStatus::instance).toList());
      awaited.computeIfPresent(status.instance(), (_, open) -> open == 1 ? null : open - 1);
      done += awaited.isEmpty() ? 1 : 0;
    }
  }

  /** Whether the data plane is idle. */
  boolean reached() {
    return done >= rounds;
  }
}
