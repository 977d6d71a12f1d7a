package dev.abacus.schemas.avro;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A schema as a registry has it.
 *
 * @param type {@code AVRO}, {@code PROTOBUF} or {@code JSON}
 * @param text the schema
 * @param references texts of the schemas that it refers to, directly or through others, by the name
 *     under which they are imported, each behind those that it refers to itself
 */
public record SchemaText(String type, String text, Map<String, String> references) {

  public SchemaText {
    references = Collections.unmodifiableMap(new LinkedHashMap<>(references));
  }
}
