package dev.abacus.schemas.avro;

import java.util.List;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.avro.SchemaValidationException;
import org.apache.avro.SchemaValidator;
import org.apache.avro.SchemaValidatorBuilder;

/** Allowed changes of the schema of a subject, with the names and meanings of Confluent. */
public enum Compatibility {
  /** Any change. */
  NONE,
  /** Readers with the new schema can read data of the version before. */
  BACKWARD,
  /** Readers with the new schema can read data of all versions before. */
  BACKWARD_TRANSITIVE,
  /** Readers with the version before can read data of the new schema. */
  FORWARD,
  /** Readers with any version before can read data of the new schema. */
  FORWARD_TRANSITIVE,
  /** Backward and forward. */
  FULL,
  /** Backward and forward, against all versions before. */
  FULL_TRANSITIVE;

  /**
   * Why {@code candidate} may not follow the given versions.
   *
   * @param newestFirst the versions so far, the newest first
   * @return empty if it may
   */
  public Optional<String> violation(Schema candidate, List<Schema> newestFirst) {
    if (this == NONE) {
      return Optional.empty();
    }
    try {
      validator().validate(candidate, newestFirst);
      return Optional.empty();
    } catch (SchemaValidationException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  private SchemaValidator validator() {
    SchemaValidatorBuilder builder = new SchemaValidatorBuilder();
    return switch (this) {
      case NONE -> builder.canReadStrategy().validateAll();
      case BACKWARD -> builder.canReadStrategy().validateLatest();
      case BACKWARD_TRANSITIVE -> builder.canReadStrategy().validateAll();
      case FORWARD -> builder.canBeReadStrategy().validateLatest();
      case FORWARD_TRANSITIVE -> builder.canBeReadStrategy().validateAll();
      case FULL -> builder.mutualReadStrategy().validateLatest();
      case FULL_TRANSITIVE -> builder.mutualReadStrategy().validateAll();
    };
  }
}
