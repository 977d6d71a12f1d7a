package dev.abacus.optimizer.search.memo;

import java.util.List;

/** The subplans of one group that are worth building on. */
public interface GroupFrontier {

  /** Takes a subplan in, unless what is there makes it needless; drops what it makes needless. */
  void offer(Subplan subplan);

  /** {@link #offer(Subplan)} of every subplan of a product. */
  void offer(CrossProduct product);

  /** What is there now. */
  List<Subplan> subplans();

  /**
   * How far what is there may fall short of all that was offered, as a factor less 1: of every
   * subplan that was needed but not kept, another one is no more than this worse in every metric. 0
   * if nothing was left out.
   */
  double error();
}
