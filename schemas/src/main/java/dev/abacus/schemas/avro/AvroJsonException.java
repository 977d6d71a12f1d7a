package dev.abacus.schemas.avro;

import org.jspecify.annotations.Nullable;

/** A JSON value or an Avro value does not fit an Avro schema. */
public final class AvroJsonException extends IllegalArgumentException {

  private final String path;

  AvroJsonException(JsonPath path, String expected, String found) {
    this(path, expected, found, null);
  }

  AvroJsonException(JsonPath path, String expected, String found, @Nullable Throwable cause) {
    super("%s: expected %s, found %s".formatted(path, expected, found), cause);
    this.path = path.toString();
  }

  /** Position in the document, such as {@code $.lines[2].price}. */
  public String path() {
    return path;
  }
}
