package dev.abacus.deploy.job;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.Window;
import java.time.Duration;

/**
 * The stateful operators of a program.
 *
 * @param count number of stateful operators
 * @param windows whether one of them waits for a window to close
 * @param span time after the last document at which all windows are closed
 */
record StatefulOperators(int count, boolean windows, Duration span) {

  private static final Duration MARGIN = Duration.ofSeconds(1);

  static StatefulOperators of(Program program) {
    int count = 0;
    boolean windows = false;
    Duration span = MARGIN;
    for (LogicalOperator operator : program.operators()) {
      Duration wait =
          switch (operator) {
            case Aggregate aggregate -> length(aggregate.window());
            case StreamJoin join -> join.within();
            case Limit limit when limit.isOrdered() -> length(limit.orderWindow());
            default -> Duration.ZERO;
          };
      count += operator.isPerDocument() ? 0 : 1;
      windows |= !operator.isAboutOneDocument() || wait.isPositive();
      span = span.plus(wait);
    }
    return new StatefulOperators(count, windows, span);
  }

  /** Longest time from a document to the end of its last window, grace included. */
  private static Duration length(Window window) {
    return switch (window) {
      case Window.Tumbling(Duration size, Duration grace) -> size.plus(grace);
      case Window.Hopping(Duration size, Duration _, Duration grace) -> size.plus(grace);
      case Window.Session(Duration gap, Duration grace) -> gap.plus(grace);
    };
  }
}
