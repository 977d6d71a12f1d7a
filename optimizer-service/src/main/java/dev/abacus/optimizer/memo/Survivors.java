package dev.abacus.optimizer.memo;

import java.util.List;

/** The subplans of one group that are worth building on. */
public interface Survivors {

  /** Takes a subplan in, unless what is there makes it needless; drops what it makes needless. */
  void offer(Subplan subplan);

  /** What is there now. */
  List<Subplan> subplans();
}
