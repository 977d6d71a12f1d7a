package dev.abacus.schemas.program;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/** Writes one operator in the form that {@link OperatorReader} reads. */
final class OperatorWriter {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private OperatorWriter() {}

  static ObjectNode write(LogicalOperator operator) {
    ObjectNode node = JSON.objectNode();
    switch (operator) {
      case SemanticMap map -> {
        node.put("map", map.id()).put("input", map.input()).put("instruction", map.instruction());
        putReads(node, map.reads());
        node.set("writes", fields(map.writes()));
      }
      case SemanticFilter filter -> {
        node.put("filter", filter.id())
            .put("input", filter.input())
            .put("condition", filter.condition());
        putReads(node, filter.reads());
      }
      case Project project -> {
        node.set("project", texts(project.fields()));
        node.put("id", project.id()).put("input", project.input());
      }
    }
    return node;
  }

  private static void putReads(ObjectNode node, List<String> reads) {
    if (!reads.isEmpty()) {
      node.set("reads", texts(reads));
    }
  }

  static ArrayNode texts(List<String> texts) {
    ArrayNode array = JSON.arrayNode();
    texts.forEach(array::add);
    return array;
  }

  private static ObjectNode fields(List<Field> fields) {
    ObjectNode node = JSON.objectNode();
    for (Field field : fields) {
      ObjectNode written = type(field.type());
      if (!field.description().isEmpty()) {
        written.put("description", field.description());
      }
      if (field.nullable()) {
        written.put("nullable", true);
      }
      node.set(field.name(), written);
    }
    return node;
  }

  private static ObjectNode type(FieldType type) {
    ObjectNode node = JSON.objectNode();
    switch (type) {
      case FieldType.Text text -> {
        node.put("type", "string");
        if (!text.values().isEmpty()) {
          node.set("enum", texts(text.values()));
        }
      }
      case FieldType.Whole whole -> {
        node.put("type", "integer");
        if (whole.minimum() != null) {
          node.put("minimum", whole.minimum());
        }
        if (whole.maximum() != null) {
          node.put("maximum", whole.maximum());
        }
      }
      case FieldType.Real real -> {
        node.put("type", "number");
        if (real.minimum() != null) {
          node.put("minimum", real.minimum());
        }
        if (real.maximum() != null) {
          node.put("maximum", real.maximum());
        }
      }
      case FieldType.Bool _ -> node.put("type", "boolean");
      case FieldType.ListOf list -> node.put("type", "list").set("items", type(list.items()));
      case FieldType.Dictionary dictionary ->
          node.put("type", "object").set("properties", fields(dictionary.fields()));
    }
    return node;
  }
}
