package dev.abacus.topology.model.admission;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The part of the product that calls a model.
 *
 * @param program name of the program; empty for calls that several programs share
 * @param priority which calls are admitted first
 * @param patience time for which a call waits for a model whose provider fails; null waits without
 *     limit. Waiting for a rate limit does not count
 */
public record Caller(String program, Priority priority, @Nullable Duration patience) {

  /** Time for which a sample waits for a model whose provider fails. */
  public static final Duration SAMPLE_PATIENCE = Duration.ofSeconds(60);

  /** The order in which waiting calls are admitted. */
  public enum Priority {
    /** Documents. */
    LIVE,
    /** Samples, and judges. */
    SAMPLE
  }

  /** A document, which waits until its model answers. */
  public static Caller live(String program) {
    return new Caller(program, Priority.LIVE, null);
  }

  /** A sample or a judge. */
  public static Caller sample(String program) {
    return new Caller(program, Priority.SAMPLE, SAMPLE_PATIENCE);
  }
}
