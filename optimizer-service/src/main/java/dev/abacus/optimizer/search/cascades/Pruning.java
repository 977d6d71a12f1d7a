package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.List;

/**
 * Drops subplans of a group that cannot be part of an acceptable plan. It is safe: it may keep
 * others, but never drops a subplan of an acceptable plan.
 */
@FunctionalInterface
interface Pruning {

  /**
   * Starts a check of implementations on top of subplans of the input group.
   *
   * @param perInput what each implementation does with one input
   */
  Check check(List<OperatorEstimate> perInput);

  /** Keeps what both keep; {@code strict} is asked first and should keep less. */
  record Both(Check lenient, Check strict) implements Check {

    @Override
    public void next(OperatorEstimate subplan) {
      lenient.next(subplan);
      strict.next(subplan);
    }

    @Override
    public boolean keeps(int implementation) {
      return strict.keeps(implementation) && lenient.keeps(implementation);
    }

    @Override
    public int kept(int[] into) {
      int count = strict.kept(into);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (lenient.keeps(into[i])) {
          into[kept++] = into[i];
        }
      }
      return kept;
    }
  }

  /** Keeps what this and the other pruning keep. The other one should keep less. */
  default Pruning and(Pruning other) {
    return perInput -> new Both(check(perInput), other.check(perInput));
  }

  /** Whether a single subplan of the group is kept. */
  default boolean keeps(OperatorEstimate subplan) {
    Check check = check(List.of(OperatorEstimate.RELATIONAL));
    check.next(subplan);
    return check.keeps(0);
  }

  /** Checks one input subplan after the other under every implementation. */
  interface Check {

    /** Continues with an input subplan. */
    void next(OperatorEstimate subplan);

    /** Whether the current input subplan is kept under an implementation. */
    boolean keeps(int implementation);

    /**
     * All implementations under which the current input subplan is kept, in any order.
     *
     * @param into receives their indices; as long as the number of implementations
     * @return their number
     */
    default int kept(int[] into) {
      int count = 0;
      for (int i = 0; i < into.length; i++) {
        if (keeps(i)) {
          into[count++] = i;
        }
      }
      return count;
    }
  }
}
