package dev.abacus.optimizer.kafka;

/** The schema registry cannot be reached now; the same record may be read later. */
final class RegistryAwayException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryAwayException(Throwable cause) {
    super("the schema registry cannot be reached: " + cause.getMessage(), cause);
  }
}
