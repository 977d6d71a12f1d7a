package dev.abacus.optimizer.kafka;

/** A program was removed or reads a topic no more, so all topics are read again. */
final class TopicsChangedException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  TopicsChangedException(String program) {
    super("program '" + program + "' does not read all of its topics any more");
  }
}
