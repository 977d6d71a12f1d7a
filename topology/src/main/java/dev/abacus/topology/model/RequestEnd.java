package dev.abacus.topology.model;

import java.util.ArrayList;
import java.util.List;

/**
 * The end of the request of a thread, when its answer is recorded. What an attempt holds may be
 * held until then.
 */
public final class RequestEnd {

  private static final ScopedValue<List<Runnable>> CURRENT = ScopedValue.newInstance();

  private RequestEnd() {}

  /** Makes a request; then does what waits for its end. */
  static <R, X extends Throwable> R after(ScopedValue.CallableOp<? extends R, X> request) throws X {
    List<Runnable> waiting = new ArrayList<>();
    try {
      return ScopedValue.where(CURRENT, waiting).call(request);
    } finally {
      waiting.forEach(Runnable::run);
    }
  }

  /** Does something when the request of this thread has ended; now, if it has none. */
  public static void then(Runnable work) {
    if (CURRENT.isBound()) {
      CURRENT.get().add(work);
    } else {
      work.run();
    }
  }
}
