package dev.abacus.topology.model.openai;

import java.time.Duration;

/**
 * The moment at which a call is given up.
 *
 * <p>It reaches the transport by a scoped value, because langchain4j stands in between and has no
 * place for it; the JDK client's own timeout ends with the response's headers and would let a
 * stalled body hang for ever.
 */
record Deadline(long nanoTime, Duration allowed) {

  static final ScopedValue<Deadline> CURRENT = ScopedValue.newInstance();

  static Deadline in(Duration time) {
    return new Deadline(System.nanoTime() + time.toNanos(), time);
  }

  long remainingNanos() {
    return Math.max(0, nanoTime - System.nanoTime());
  }

  /** Thrown by the transport, turned into a value by {@link FailureClassifier}. */
  static final class Exceeded extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Exceeded(Deadline deadline) {
      super("no complete answer within " + deadline.allowed().toMillis() + " ms");
    }
  }
}
