package dev.abacus.schemas.supervision;

import java.time.Duration;

/** The clock of the machine was set back, so Kafka's clients wait until it is where it was. */
final class ClockSetBackException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  ClockSetBackException(Duration by) {
    super(
        "the clock was set back by %d s, and Kafka's clients would do nothing for as long: the process must start again"
            .formatted(by.toSeconds()));
  }
}
