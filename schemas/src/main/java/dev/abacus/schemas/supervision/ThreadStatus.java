package dev.abacus.schemas.supervision;

import com.fasterxml.jackson.annotation.JsonInclude;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The state of one long-lived thread, as status records contain it.
 *
 * @param thread name of the thread, unique in its process
 * @param since start of this state
 * @param failures failures since the process started
 * @param skipped records that the thread could not use since the process started
 * @param cause the last failure, with the record that caused it if it is known; null if the thread
 *     works
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ThreadStatus(
    String thread,
    State state,
    Instant since,
    long failures,
    long skipped,
    @Nullable String cause) {

  /** The states of a thread. */
  public enum State {
    RUNNING,
    /** One step has taken longer than {@link ThreadHealth#STALLED_AFTER}. */
    STALLED,
    /**
     * The last step failed, or several did shortly before, with successful ones between; the thread
     * tries again after a pause.
     */
    RESTARTING,
    /** The thread has ended; its process ends. */
    FAILED
  }

  /** Whether the thread does its work. */
  public boolean works() {
    return state == State.RUNNING;
  }

  /** The state as a sentence without a full stop, for users. */
  public String describe() {
    return switch (state) {
      case RUNNING -> "thread '%s' runs".formatted(thread);
      case STALLED -> "thread '%s' has not finished a step since %s".formatted(thread, since);
      case RESTARTING ->
          "thread '%s' fails since %s (%d failures): %s".formatted(thread, since, failures, cause);
      case FAILED -> "thread '%s' ended at %s: %s".formatted(thread, since, cause);
    };
  }
}
