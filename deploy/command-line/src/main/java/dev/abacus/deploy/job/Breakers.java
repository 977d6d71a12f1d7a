package dev.abacus.deploy.job;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.Window;
import java.time.Duration;

/**
 * What in a program sees several documents at once.
 *
 * @param count how many operators
 * @param windows whether any of them waits for a window to close
 * @param span after the last document, all windows are closed that much later
 */
record Breakers(int count, boolean windows, Duration span) {

  private static final Duration MARGIN = Duration.ofSeconds(1);

  static Breakers of(Program program) {
    int count = 0;
    boolean windows = false;
    Duration span = MARGIN;
    for (LogicalOperator operator : program.operators()) {
      Duration wait =
          switch (operator) {
            case Aggregate aggregate -> length(aggregate.window());
            case StreamJoin join -> join.within();
            default -> Duration.ZERO;
          };
      count += operator.isPerDocument() ? 0 : 1;
      windows |= !operator.isPerDocument() && !(operator instanceof Limit);
      span = span.plus(wait);
    }
    return new Breakers(count, windows, span);
  }

  /** From a document to the end of the last window that it is in, grace included. */
  private static Duration length(Window window) {
    return switch (window) {
      case Window.Tumbling(Duration size, Duration grace) -> size.plus(grace);
      case Window.Hopping(Duration size, Duration _, Duration grace) -> size.plus(grace);
      case Window.Session(Duration gap, Duration grace) -> gap.plus(grace);
    };
  }
}
