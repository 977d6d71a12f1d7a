package dev.abacus.schemas.program;

import java.util.Locale;

/** How documents are encoded on a topic. */
public enum Format {
  /** One JSON object, UTF-8. */
  JSON,
  /** Avro in Confluent's wire format, schema from the registry. */
  AVRO;

  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
