package dev.abacus.topology.answer;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.WaitListener;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A call in flight, which answers all requests with its key.
 *
 * @param affordable whether the program of the call may spend more now
 * @param outcome of the call; cancelled if it was not made
 */
record AnswerFlight(BooleanSupplier affordable, CompletableFuture<ModelAnswer> outcome) {

  /** Time between two checks whether the caller can pay. */
  private static final long CHECK_MILLIS = 200;

  AnswerFlight(BooleanSupplier affordable) {
    this(affordable, new CompletableFuture<>());
  }

  /**
   * Waits for the outcome. The document gives up its place among those in flight meanwhile.
   *
   * @return the outcome; null if the program of the call cannot pay
   * @throws CancellationException if the call was not made
   */
  @Nullable ModelAnswer await() throws InterruptedException {
    WaitListener listener = WaitListener.current();
    listener.waiting();
    try {
      do {
        try {
          return outcome.get(CHECK_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
          // Waits on, as long as the call may be made.
        }
      } while (affordable.getAsBoolean());
      return null;
    } catch (ExecutionException e) {
      throw new IllegalStateException("a flight never ends with an exception", e);
    } finally {
      listener.resumed();
    }
  }
}
