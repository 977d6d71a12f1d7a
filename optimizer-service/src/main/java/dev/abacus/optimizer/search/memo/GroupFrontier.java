package dev.abacus.optimizer.search.memo;

import java.util.List;

/** The subplans of a group that the search combines with further operators. */
public interface GroupFrontier {

  /** Keeps nothing, to look at logical expressions only. */
  GroupFrontier NONE =
      new GroupFrontier() {
        @Override
        public void offer(Subplan subplan) {
          // Keeps nothing.
        }

        @Override
        public void offer(CrossProduct product) {
          // Keeps nothing.
        }

        @Override
        public void offer(Group.Sides pairs) {
          // Keeps nothing.
        }

        @Override
        public List<Subplan> subplans() {
          return List.of();
        }

        @Override
        public double error() {
          return 0;
        }
      };

  /**
   * Adds a subplan, unless a kept one makes it unnecessary, and drops those it makes unnecessary.
   */
  void offer(Subplan subplan);

  /** Offers every subplan of a cross product. */
  void offer(CrossProduct product);

  /** Offers each pair of subplans of two sides. */
  void offer(Group.Sides pairs);

  /** The kept subplans. */
  List<Subplan> subplans();

  /**
   * The relative approximation error: for every subplan that was dropped because of a size limit, a
   * kept one is worse by at most this factor − 1 in each metric. 0 if the frontier is exact.
   */
  double error();
}
