package dev.abacus.optimizer.memo;

import dev.abacus.optimizer.pareto.MetricVector;
import java.util.List;

/** The subplans of one group that are worth building on. */
public interface Survivors {

  /**
   * Whether a subplan that does this per source document could survive; a cheap look before it is
   * made. True may turn out wrong, false may not.
   */
  boolean mayTake(MetricVector metrics);

  /** Takes a subplan in, unless what is there makes it needless; drops what it makes needless. */
  void offer(Subplan subplan);

  /** What is there now. */
  List<Subplan> subplans();
}
