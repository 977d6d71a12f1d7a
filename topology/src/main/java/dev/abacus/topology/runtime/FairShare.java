package dev.abacus.topology.runtime;

import java.util.Comparator;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A share of the permits of a {@link FairScheduler}. Shares are a tree: the permits of a {@link
 * Group} are those of its members. The next permit goes to the member with the fewest permits among
 * those that can use one, of equals to the one whose turn is first, and so down the tree. Each step
 * takes O(log n). Not thread-safe.
 */
abstract class FairShare {

  private static final Comparator<FairShare> NEXT =
      Comparator.<FairShare>comparingInt(share -> share.permits)
          .thenComparingLong(share -> share.turn);

  private final @Nullable Group group;
  private int permits;
  private long turn;

  /** Whether the group has it among those that can use a permit. */
  private boolean listed;

  /**
   * A share without permits.
   *
   * @param group that it is a member of; null for the root
   * @param turn decides between members with as many permits; unique in the group
   */
  FairShare(@Nullable Group group, long turn) {
    this.group = group;
    this.turn = turn;
  }

  /** Number of its permits. */
  final int permits() {
    return permits;
  }

  /** Whether it can use a permit. */
  abstract boolean canStart();

  /** The member of the lowest level that the next permit goes to; null if none can use one. */
  abstract @Nullable FairShare next();

  /**
   * Its turn after a change.
   *
   * @param permit number of the permit that it got; 0 if it got none
   */
  abstract long turn(long before, long permit);

  /**
   * Changes this share, and with it the groups that it belongs to. All changes go through here,
   * because they change the order of the members.
   *
   * @param more permits; negative for fewer
   * @param permit number of the permit that was given; 0 if none was
   * @param change may change what {@link #canStart} and {@link #turn} return
   */
  final void change(int more, long permit, Runnable change) {
    if (group == null) {
      changed(more, permit, change);
      return;
    }
    if (listed) {
      group.startable.remove(this);
    }
    group.change(
        more,
        permit,
        () -> {
          changed(more, permit, change);
          listed = canStart();
          if (listed) {
            group.startable.add(this);
          }
        });
  }

  /** Takes permits (1), also above the limit, or gives them back (-1). */
  final void change(int more) {
    change(more, 0, () -> {});
  }

  private void changed(int more, long permit, Runnable change) {
    change.run();
    permits += more;
    turn = turn(turn, permit);
  }

  /** A share that its members divide. Of equals, the one without a permit for longest is first. */
  static class Group extends FairShare {

    private final TreeSet<FairShare> startable = new TreeSet<>(NEXT);

    Group(@Nullable Group group, long turn) {
      super(group, turn);
    }

    @Override
    final boolean canStart() {
      return !startable.isEmpty();
    }

    @Override
    final @Nullable FairShare next() {
      return startable.isEmpty() ? null : startable.first().next();
    }

    @Override
    final long turn(long before, long permit) {
      return Math.max(before, permit);
    }

    /** Forgets all members; to be called in a {@link #change}. */
    final void clear() {
      startable.clear();
    }
  }
}
