package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.MetricVector;
import java.util.List;

/**
 * Which subplans of a group can be part of a plan that is looked for. It may let others pass, but
 * holds none back that can.
 */
interface Pruning {

  /** Everything. */
  Pruning ALL =
      perInput ->
          new Screen() {
            @Override
            public void over(MetricVector subplan) {
              // Nothing to look at.
            }

            @Override
            public boolean admits(int implementation) {
              return true;
            }

            @Override
            public int admitted(int[] into) {
              for (int i = 0; i < perInput.size(); i++) {
                into[i] = i;
              }
              return perInput.size();
            }
          };

  /**
   * Looks at implementations that are put on subplans of the group below.
   *
   * @param perInput what each implementation does with one input
   */
  Screen screen(List<MetricVector> perInput);

  /**
   * What two admit.
   *
   * @param strict goes first
   */
  record Both(Pruning lenient, Pruning strict) implements Pruning {

    @Override
    public Screen screen(List<MetricVector> perInput) {
      return new BothScreens(lenient.screen(perInput), strict.screen(perInput));
    }
  }

  /** What pairs two screens let pass. */
  record BothScreens(Screen lenient, Screen strict) implements Screen {

    @Override
    public void over(MetricVector subplan) {
      lenient.over(subplan);
      strict.over(subplan);
    }

    @Override
    public boolean admits(int implementation) {
      return strict.admits(implementation) && lenient.admits(implementation);
    }

    @Override
    public int admitted(int[] into) {
      int count = strict.admitted(into);
      int kept = 0;
      for (int i = 0; i < count; i++) {
        if (lenient.admits(into[i])) {
          into[kept++] = into[i];
        }
      }
      return kept;
    }
  }

  /** What both admit; the other one is expected to admit less. */
  default Pruning and(Pruning other) {
    return new Both(this, other);
  }

  /** Whether a single subplan of the group is admitted. */
  default boolean admits(MetricVector subplan) {
    Screen screen = screen(List.of(new MetricVector(1, 0, 0, 1)));
    screen.over(subplan);
    return screen.admits(0);
  }

  /** One subplan of the group below after the other, under each implementation. */
  interface Screen {

    /** Goes on to a subplan of the group below. */
    void over(MetricVector subplan);

    /** Whether that subplan under an implementation is admitted. */
    boolean admits(int implementation);

    /**
     * All implementations under which that subplan is admitted, in any order.
     *
     * @param into takes their numbers; has room for all
     * @return how many
     */
    int admitted(int[] into);
  }
}
