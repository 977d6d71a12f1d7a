package dev.abacus.topology.live;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;

/**
 * Derives the Avro schema of results from the operators of a program.
 *
 * <p>Every field is nullable with default null, so that schemas stay backward compatible when a
 * program adds or removes fields. A field that an operator writes has the declared type:
 *
 * <ul>
 *   <li>maps and semantic aggregates the types in their {@code writes};
 *   <li>{@code count} long; {@code sum}, {@code avg}, {@code min} and {@code max} double; {@code
 *       list} a list of values without a declared type;
 *   <li>top-k and joins that collect: a list of items, each as its JSON text.
 * </ul>
 *
 * A field that comes from the source, or from one matched item, has no declared type: it is a
 * boolean, long, double or string, and a list or object is written as its JSON text.
 */
final class ResultSchema {

  private static final Schema NULL = Schema.create(Schema.Type.NULL);
  private static final Schema UNDECLARED =
      Schema.createUnion(
          NULL,
          Schema.create(Schema.Type.BOOLEAN),
          Schema.create(Schema.Type.LONG),
          Schema.create(Schema.Type.DOUBLE),
          Schema.create(Schema.Type.STRING));
  private static final Schema LIST = nullable(SchemaBuilder.array().items(UNDECLARED));

  private final String record;
  private final Map<String, Schema> declared = new HashMap<>();
  private final Set<String> names = new LinkedHashSet<>();

  private ResultSchema(String record) {
    this.record = record;
  }

  /**
   * The schema of the results of a program. It does not depend on the plan, because the order of
   * operators does not change the fields.
   */
  static Schema of(Program program) {
    ResultSchema schema = new ResultSchema(identifier(program.name()));
    program.operators().forEach(schema::after);
    return schema.build();
  }

  private void after(LogicalOperator operator) {
    switch (operator) {
      case Project project -> {
        names.clear();
        names.addAll(project.fields());
      }
      case SemanticMap map -> writes(map.writes());
      case TopK topK -> put(topK.writes(), LIST);
      case ReferenceJoin join -> put(join.into(), join.collected() ? LIST : UNDECLARED);
      case StreamJoin join -> put(join.into(), UNDECLARED);
      case Aggregate aggregate -> {
        names.clear();
        names.addAll(aggregate.by());
        aggregate.compute().forEach((field, computation) -> put(field, type(computation)));
        writes(aggregate.writes());
      }
      case SemanticFilter _, Merge _, Limit _ -> {
        // Writes nothing.
      }
    }
  }

  private void writes(List<Field> fields) {
    fields.forEach(
        field -> put(field.name(), nullable(type(field.type(), record + "_" + field.name()))));
  }

  private void put(String field, Schema schema) {
    names.add(field);
    declared.put(field, schema);
  }

  private static Schema type(Computation computation) {
    return switch (computation.function()) {
      case COUNT -> nullable(Schema.create(Schema.Type.LONG));
      case SUM, AVG, MIN, MAX -> nullable(Schema.create(Schema.Type.DOUBLE));
      case LIST -> LIST;
    };
  }

  private Schema build() {
    List<Schema.Field> fields = new ArrayList<>();
    for (String name : names) {
      Schema schema = declared.getOrDefault(name, UNDECLARED);
      fields.add(new Schema.Field(name, schema, null, Schema.Field.NULL_DEFAULT_VALUE));
    }
    return Schema.createRecord(record, "Results of " + record, "abacus.results", false, fields);
  }

  /**
   * Converts a value to the schema of its field: if no type is declared, lists and objects become
   * their JSON text.
   */
  static JsonNode fitting(JsonNode value, Schema schema) {
    if (schema.equals(UNDECLARED) && value.isContainerNode()) {
      return TextNode.valueOf(value.toString());
    }
    if (schema.equals(LIST) && value instanceof ArrayNode list) {
      ArrayNode items = list.arrayNode();
      list.forEach(item -> items.add(fitting(item, UNDECLARED)));
      return items;
    }
    return value;
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(NULL, schema);
  }

  private static Schema type(FieldType type, String path) {
    return switch (type) {
      case FieldType.StringType _ -> Schema.create(Schema.Type.STRING);
      case FieldType.IntegerType _ -> Schema.create(Schema.Type.LONG);
      case FieldType.NumberType _ -> Schema.create(Schema.Type.DOUBLE);
      case FieldType.BooleanType _ -> Schema.create(Schema.Type.BOOLEAN);
      case FieldType.ListType list ->
          SchemaBuilder.array().items(type(list.items(), path + "_item"));
      case FieldType.ObjectType object -> {
        List<Schema.Field> fields = new ArrayList<>();
        for (Field field : object.fields()) {
          Schema schema = nullable(type(field.type(), path + "_" + field.name()));
          fields.add(new Schema.Field(field.name(), schema, null, Schema.Field.NULL_DEFAULT_VALUE));
        }
        yield Schema.createRecord(path, null, "abacus.results", false, fields);
      }
    };
  }

  private static String identifier(String name) {
    return name.replace('-', '_');
  }
}
