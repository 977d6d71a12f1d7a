package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.pareto.MetricVector;
import java.util.List;

/**
 * Which subplans of a group can be part of a plan that is looked for. It may let others pass, but
 * holds none back that can.
 */
interface Admission {

  /** Everything. */
  Admission ALL =
      _ ->
          new Screen() {
            @Override
            public void over(MetricVector subplan) {
              // Nothing to look at.
            }

            @Override
            public boolean admits(int implementation) {
              return true;
            }
          };

  /**
   * Looks at implementations that are put on subplans of the group below.
   *
   * @param perInput what each implementation does with one input
   */
  Screen screen(List<MetricVector> perInput);

  /** What both admit. */
  default Admission and(Admission other) {
    return perInput -> {
      Screen mine = screen(perInput);
      Screen its = other.screen(perInput);
      return new Screen() {
        @Override
        public void over(MetricVector subplan) {
          mine.over(subplan);
          its.over(subplan);
        }

        @Override
        public boolean admits(int implementation) {
          return mine.admits(implementation) && its.admits(implementation);
        }
      };
    };
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
  }
}
