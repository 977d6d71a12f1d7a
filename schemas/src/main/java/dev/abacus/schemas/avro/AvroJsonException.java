package dev.abacus.schemas.avro;

import org.jspecify.annotations.Nullable;

/** A JSON value or an Avro value does not fit an Avro schema; the message begins with its path. */
public final class AvroJsonException extends IllegalArgumentException {

  AvroJsonException(JsonPath path, String expected, String found) {
    this(path, expected, found, null);
  }

  AvroJsonException(JsonPath path, String expected, String found, @Nullable Throwable cause) {
    super("%s: expected %s, found %s".formatted(path, expected, found), cause);
  }
}
