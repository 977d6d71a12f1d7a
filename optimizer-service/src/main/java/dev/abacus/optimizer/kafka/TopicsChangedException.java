package dev.abacus.optimizer.kafka;

/** A program names another validation topic than before, so all topics are read again. */
final class TopicsChangedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TopicsChangedException(String program) {
    super("program '" + program + "' has another validation topic now");
  }
}
