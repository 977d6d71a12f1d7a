package dev.abacus.deploy.price;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import java.util.Comparator;
import java.util.List;

/** A placeholder for a model's answer, whose length is unknown before the call. */
final class PlaceholderAnswer {

  /** About 20 tokens. */
  private static final String TEXT =
      "A sentence of some length, as a model might write it when it is asked for one text.";

  /** Assumed length of a list. */
  static final int LIST = 3;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private PlaceholderAnswer() {}

  /** An answer with these fields; every second nullable field is null. */
  static Document of(List<Field> fields) {
    return Document.of(object(fields));
  }

  private static ObjectNode object(List<Field> fields) {
    ObjectNode object = JSON.objectNode();
    int mayBeNull = 0;
    for (Field field : fields) {
      boolean isNull = field.nullable() && mayBeNull++ % 2 == 1;
      object.set(field.name(), isNull ? JSON.nullNode() : value(field.type()));
    }
    return object;
  }

  private static JsonNode value(FieldType type) {
    return switch (type) {
      case FieldType.StringType(List<String> values) ->
          JSON.textNode(values.stream().max(Comparator.comparingInt(String::length)).orElse(TEXT));
      case FieldType.IntegerType _ -> JSON.numberNode(100);
      case FieldType.NumberType _ -> JSON.numberNode(0.75);
      case FieldType.BooleanType _ -> JSON.booleanNode(true);
      case FieldType.ObjectType(List<Field> fields) -> object(fields);
      case FieldType.ListType(FieldType items) -> {
        ArrayNode list = JSON.arrayNode();
        for (int i = 0; i < LIST; i++) {
          list.add(value(items));
        }
        yield list;
      }
    };
  }
}
