package dev.abacus.topology.document;

import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;

/**
 * Derives the Avro schema of results from the operators that made them.
 *
 * <p>Every field is nullable with default null, so that fields may come and go between versions of
 * a program and stay backward compatible. Fields that an operator writes have the type it declares.
 * A field that comes from the source has no declared type: it is a boolean, long, double or string,
 * and a list or dictionary stands as its JSON text.
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

  private ResultSchema() {}

  /** The schema of a plan's results; its last project says which fields there are. */
  static Schema of(PhysicalPlan plan) {
    Map<String, FieldType> declared = new HashMap<>();
    Set<String> names = new LinkedHashSet<>();
    for (PlanStep step : plan.steps()) {
      switch (step.logical()) {
        case Project project -> {
          names.clear();
          names.addAll(project.fields());
        }
        case SemanticMap map -> {
          map.writes().forEach(field -> declared.put(field.name(), field.type()));
          names.addAll(map.writtenFields());
        }
        default -> {
          // Writes nothing.
        }
      }
    }
    String record = identifier(plan.program());
    List<Schema.Field> fields = new ArrayList<>();
    for (String name : names) {
      FieldType type = declared.get(name);
      Schema schema = type == null ? UNDECLARED : nullable(type(type, record + "_" + name));
      fields.add(new Schema.Field(name, schema, null, Schema.Field.NULL_DEFAULT_VALUE));
    }
    return Schema.createRecord(
        record, "Results of " + plan.program(), "abacus.results", false, fields);
  }

  /** Whether a field came from the source as it was, so that its type is not known. */
  static boolean isUndeclared(Schema schema) {
    return schema.equals(UNDECLARED);
  }

  private static Schema nullable(Schema schema) {
    return Schema.createUnion(NULL, schema);
  }

  private static Schema type(FieldType type, String path) {
    return switch (type) {
      case FieldType.Text _ -> Schema.create(Schema.Type.STRING);
      case FieldType.Whole _ -> Schema.create(Schema.Type.LONG);
      case FieldType.Real _ -> Schema.create(Schema.Type.DOUBLE);
      case FieldType.Bool _ -> Schema.create(Schema.Type.BOOLEAN);
      case FieldType.ListOf list -> SchemaBuilder.array().items(type(list.items(), path + "_item"));
      case FieldType.Dictionary dictionary -> {
        List<Schema.Field> fields = new ArrayList<>();
        for (Field field : dictionary.fields()) {
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
