package dev.abacus.topology;

import java.util.Collections;
import java.util.Set;

/**
 * Decides whether an idle application of this instance sleeps. It has no pending records here, and
 * its group has read all of its topics; but another member may have pending records, and may die.
 *
 * <p>The only member has all tasks, so there is nothing pending in the group: it sleeps until a
 * record arrives. With several members, all but the first by client id leave their tasks to the
 * first one, and look whether the group has members. When the last one has left or died, they start
 * again: nobody can tell the two apart, and a restart costs less than a document that nobody owns.
 * So the instances fall asleep one after the other.
 */
enum SleepRule {
  /** The application goes on. */
  STAY,
  /** The application stops while its group has other members and no record arrives. */
  LEAVE_TO_OTHERS,
  /** The application stops while no record arrives. */
  SLEEP;

  /**
   * Decides.
   *
   * @param own client ids of this instance
   * @param members client ids of the group
   */
  static SleepRule of(Set<String> own, Set<String> members) {
    if (own.isEmpty() || !members.containsAll(own)) {
      return STAY; // Another member may take over the tasks right now.
    }
    if (own.containsAll(members)) {
      return SLEEP;
    }
    return own.contains(Collections.min(members)) ? STAY : LEAVE_TO_OTHERS;
  }
}
