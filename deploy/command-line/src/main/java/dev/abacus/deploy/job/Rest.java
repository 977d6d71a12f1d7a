package dev.abacus.deploy.job;

import dev.abacus.schemas.control.InstanceStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;

/**
 * Knows when a data plane has come to rest, for programs whose documents need not leave a record of
 * their own.
 *
 * <p>A document that is under way is on a topic that was not consumed to its end, or an instance
 * holds it. It may slip through one look at topics and instances while it goes from the one to the
 * other, but only as often as it has ways to go. So a round is: the topics are consumed to their
 * ends, and after that every instance reports that it holds nothing; and the data plane is at rest
 * after so many rounds, during which nothing came and nothing changed, that a document would have
 * been seen.
 */
final class Rest {

  /** The first report after a look at topics may have been written before it. */
  private static final int REPORTS = 2;

  private final int rounds;
  private final Map<String, Integer> awaited = new HashMap<>();
  private int done;

  /**
   * Nothing is known yet.
   *
   * @param statefulOperators how many operators see several documents: a document goes from a
   *     topic to an instance once more often than that
   */
  Rest(int statefulOperators) {
    this.rounds = statefulOperators + 2;
  }

  /** A record came, or a count changed. */
  void moved() {
    done = 0;
    awaited.clear();
  }

  /** Whether the next thing to know is how far topics are consumed. */
  boolean needsLag() {
    return awaited.isEmpty() && !reached();
  }

  /** All topics were consumed to their ends just now; these instances are there. */
  void consumed(Collection<InstanceStatus> instances) {
    instances.forEach(status -> awaited.put(status.instance(), REPORTS));
  }

  /** An instance reports. */
  void report(InstanceStatus status) {
    if (status.pending() > 0 || status.inFlight() > 0) {
      moved();
    } else if (awaited.containsKey(status.instance())) {
      awaited.computeIfPresent(status.instance(), (_, open) -> open == 1 ? null : open - 1);
      done += awaited.isEmpty() ? 1 : 0;
    }
  }

  boolean reached() {
    return done >= rounds;
  }
}
