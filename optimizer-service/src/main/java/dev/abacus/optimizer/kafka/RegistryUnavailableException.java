package dev.abacus.optimizer.kafka;

/** The schema registry does not answer; the record can be read later. */
final class RegistryUnavailableException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  RegistryUnavailableException(Throwable cause) {
    super("the schema registry is unavailable: " + cause.getMessage(), cause);
  }
}
