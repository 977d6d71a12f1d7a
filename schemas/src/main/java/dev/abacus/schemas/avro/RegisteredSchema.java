package dev.abacus.schemas.avro;

import java.util.Objects;
import org.apache.avro.Schema;

/**
 * A schema as it stands under a subject.
 *
 * @param subject the name under which versions of one schema are kept
 * @param id the registry-wide id that the wire format carries
 * @param version counts from 1 within the subject
 * @param schema the schema itself
 */
public record RegisteredSchema(String subject, int id, int version, Schema schema) {

  public RegisteredSchema {
    Objects.requireNonNull(subject, "subject");
    Objects.requireNonNull(schema, "schema");
  }
}
