package dev.abacus.schemas.avro;

import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A request to a registry failed. Only {@link Unavailable} and {@link Unauthorized} may succeed on
 * a retry. It is a {@link SerializationException}, so that Kafka's clients and the exception
 * handlers of Kafka Streams treat it as they treat Confluent's.
 */
public abstract sealed class RegistryException extends SerializationException {

  private final boolean retriable;

  private RegistryException(String message, @Nullable Throwable cause, boolean retriable) {
    super(message, cause);
    this.retriable = retriable;
  }

  /** Whether the same request may succeed later. */
  public boolean retriable() {
    return retriable;
  }

  /**
   * No registry answered, those that did were overloaded or broken (408, 429, 5xx) or are in
   * read-only mode, or the answer is not that of a registry, but of a proxy before it for instance.
   */
  public static final class Unavailable extends RegistryException {

    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause, true);
    }
  }

  /** The registry knows no such schema id, subject or version. */
  public static final class NotFound extends RegistryException {

    public NotFound(String message) {
      super(message, null, false);
    }
  }

  /** The schema breaks the subject's compatibility rule. */
  public static final class Incompatible extends RegistryException {

    public Incompatible(String message) {
      super(message, null, false);
    }
  }

  /** Credentials are missing or wrong; an operator must act. */
  public static final class Unauthorized extends RegistryException {

    public Unauthorized(String message) {
      super(message, null, true);
    }
  }

  /** The schema is invalid, or its type is another one than expected. */
  public static final class Refused extends RegistryException {

    public Refused(String message, @Nullable Throwable cause) {
      super(message, cause, false);
    }
  }
}
