package dev.abacus.schemas.avro;

import org.apache.kafka.common.errors.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * A request to a registry failed. Only {@link Unavailable} and {@link Unauthorized} may succeed on
 * a retry. It is a {@link SerializationException}, so that Kafka's clients and the exception
 * handlers of Kafka Streams treat it as they treat Confluent's.
 */
public abstract sealed class RegistryException extends SerializationException {

  private RegistryException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }

  /** Whether the same request may succeed later. */
  public abstract boolean retriable();

  /** No registry answered, or those that did were overloaded or broken (408, 429, 5xx). */
  public static final class Unavailable extends RegistryException {

    public Unavailable(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public boolean retriable() {
      return true;
    }
  }

  /** The registry knows no such schema id, subject or version. */
  public static final class NotFound extends RegistryException {

    public NotFound(String message) {
      super(message, null);
    }

    @Override
    public boolean retriable() {
      return false;
    }
  }

  /** The schema breaks the subject's compatibility rule. */
  public static final class Incompatible extends RegistryException {

    public Incompatible(String message) {
      super(message, null);
    }

    @Override
    public boolean retriable() {
      return false;
    }
  }

  /** Credentials are missing or wrong; an operator must act. */
  public static final class Unauthorized extends RegistryException {

    public Unauthorized(String message) {
      super(message, null);
    }

    @Override
    public boolean retriable() {
      return true;
    }
  }

  /** The schema is invalid, or the answer is not that of a schema registry. */
  public static final class Refused extends RegistryException {

    public Refused(String message, @Nullable Throwable cause) {
      super(message, cause);
    }

    @Override
    public boolean retriable() {
      return false;
    }
  }
}
