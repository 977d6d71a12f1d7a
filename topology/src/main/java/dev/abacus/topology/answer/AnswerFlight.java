package dev.abacus.topology.answer;

import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.WaitListener;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** A call in flight, which answers all requests with its key. Thread-safe. */
final class AnswerFlight {

  /** Time between two checks whether the caller can pay. */
  private static final long CHECK_MILLIS = 200;

  /** How a flight ended for a request that waited for it. */
  enum End {
    /** The call succeeded. */
    ANSWERED,
    /** The call failed, or its program cannot pay: the request needs a call of its own. */
    FAILED,
    /** The call was not made: another request may make it. */
    ABANDONED
  }

  private final BooleanSupplier affordable;
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile End end = End.ABANDONED;
  private volatile ModelAnswer.@Nullable Success answer;

  /**
   * @param affordable whether the program of the call may spend more now
   */
  AnswerFlight(BooleanSupplier affordable) {
    this.affordable = affordable;
  }

  void land(ModelAnswer outcome) {
    if (outcome instanceof ModelAnswer.Success success) {
      answer = success;
      end = End.ANSWERED;
    } else {
      end = End.FAILED;
    }
  }

  /** Ends the waits; the flight is abandoned if it has not landed. */
  void end() {
    ended.countDown();
  }

  /** Waits for the end. The document gives up its place among those in flight meanwhile. */
  End await() throws InterruptedException {
    WaitListener listener = WaitListener.current();
    listener.waiting();
    try {
      while (!ended.await(CHECK_MILLIS, TimeUnit.MILLISECONDS)) {
        if (!affordable.getAsBoolean()) {
          return End.FAILED;
        }
      }
      return end;
    } finally {
      listener.resumed();
    }
  }

  /** The answer of a flight that ended with {@link End#ANSWERED}. */
  ModelAnswer.@Nullable Success answer() {
    return answer;
  }
}
