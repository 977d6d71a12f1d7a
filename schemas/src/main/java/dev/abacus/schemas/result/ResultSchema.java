package dev.abacus.schemas.result;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.avro.TopicSchemas;
import dev.abacus.schemas.document.JsonParts;
import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.Computation;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.jspecify.annotations.Nullable;

/**
 * Derives the Avro schema of results from the operators of a program and the schemas of its
 * sources.
 *
 * <ul>
 *   <li>A field of an Avro source keeps type, logical type, documentation, default value and
 *       aliases.
 *   <li>A field that a map or an aggregate writes has the type in {@code writes}, with its
 *       description as documentation. It is a union with null only if it is nullable.
 *   <li>{@code count} and {@code distinct} are longs, {@code sum} a double; {@code avg}, {@code
 *       min} and {@code max} are doubles or null; {@code list} is a list of the type of the field.
 *   <li>Top-k and joins that collect give a list of items, each as its JSON text. A join of streams
 *       gives a record, if the fields of its right side are known, otherwise the JSON text.
 *   <li>Anything else (a field of a JSON source or with files, a matched item) has no declared
 *       type: it is a boolean, long, double, string or null. Lists and objects are written as their
 *       JSON text.
 * </ul>
 */
public final class ResultSchema {

  private static final String NAMESPACE = "abacus.results";
  private static final Schema NULL = Schema.create(Schema.Type.NULL);
  private static final Schema UNDECLARED =
      Schema.createUnion(
          NULL,
          Schema.create(Schema.Type.BOOLEAN),
          Schema.create(Schema.Type.LONG),
          Schema.create(Schema.Type.DOUBLE),
          Schema.create(Schema.Type.STRING));
  private static final Schema LIST = SchemaBuilder.array().items(UNDECLARED);

  private final String record;
  private final boolean byOperator;
  private final Map<String, Fields> fields = new HashMap<>();

  private ResultSchema(String record, boolean byOperator) {
    this.record = record;
    this.byOperator = byOperator;
  }

  /**
   * The fields behind a source or an operator.
   *
   * @param known by name, in order
   * @param complete whether documents have no other fields
   */
  private record Fields(Map<String, Schema.Field> known, boolean complete) {

    Fields with(List<Schema.Field> more) {
      Map<String, Schema.Field> all = new LinkedHashMap<>(known);
      more.forEach(field -> all.put(field.name(), field));
      return new Fields(all, complete);
    }

    Schema.Field get(String name) {
      Schema.Field field = known.get(name);
      return field == null ? nullable(name, UNDECLARED, null) : field;
    }
  }

  /**
   * The schemas of the Avro sources of a program by name of the source. A source that the registry
   * does not know is missing.
   *
   * @throws dev.abacus.schemas.avro.RegistryException if the registry cannot be reached
   */
  public static Map<String, Schema> ofSources(Program program, TopicSchemas registry) {
    Map<String, Schema> schemas = new HashMap<>();
    for (Source source : program.sources()) {
      Schema newest = source.format() == Format.AVRO ? registry.newest(source.topic()) : null;
      if (newest != null) {
        schemas.put(source.name(), newest);
      }
    }
    return schemas;
  }

  /**
   * The schema of the results. It does not depend on the plan, because the order of operators does
   * not change the fields.
   *
   * @param sources the schemas of the documents by name of the source; a source may be missing
   */
  public static Schema of(Program program, Map<String, Schema> sources) {
    AvroRuntimeException conflict = new AvroRuntimeException("no schema was derived");
    for (Map<String, Schema> known : List.of(sources, Map.<String, Schema>of())) {
      for (boolean byOperator : List.of(false, true)) {
        try {
          return derive(program, known, byOperator);
        } catch (AvroRuntimeException e) {
          // Operators or sources define the same name differently: they cannot be in one schema.
          conflict = e;
        }
      }
    }
    throw conflict;
  }

  /** Records that operators write have the operator in their names only if they need it. */
  private static Schema derive(Program program, Map<String, Schema> sources, boolean byOperator) {
    ResultSchema results = new ResultSchema(identifier(program.name()), byOperator);
    for (Source source : program.sources()) {
      results.fields.put(
          source.name(), ofSource(sources.get(source.name()), source.files().fields()));
    }
    Fields last = new Fields(Map.of(), false);
    for (LogicalOperator operator : program.operators()) {
      last = results.after(operator);
      results.fields.put(operator.id(), last);
    }
    Schema schema =
        Schema.createRecord(
            results.record, "Results of " + program.name(), NAMESPACE, false, copies(last));
    // Text names a record that stands twice: the second one gets the fields of the first.
    Schema written = new Schema.Parser().parse(schema.toString());
    if (!written.equals(schema)) {
      throw new AvroRuntimeException("records of one name have different fields in " + schema);
    }
    return written;
  }

  private static Fields ofSource(@Nullable Schema schema, List<String> files) {
    if (schema == null || schema.getType() != Schema.Type.RECORD) {
      return new Fields(Map.of(), false);
    }
    List<Schema.Field> read =
        schema.getFields().stream()
            .map(field ->
                files.contains(field.name()) ? nullable(field.name(), UNDECLARED, null) : field)
            .toList();
    return new Fields(Map.of(), true).with(read);
  }

  private Fields after(LogicalOperator operator) {
    Fields before = input(operator.input());
    return switch (operator) {
      case Project project ->
          new Fields(Map.of(), true).with(project.fields().stream().map(before::get).toList());
      case SemanticMap map -> before.with(written(map.writes(), path(map)));
      case TopK topK -> before.with(List.of(required(topK.writes(), LIST, null)));
      case SemanticRank rank -> {
        Schema.Field items = before.known().get(rank.items());
        yield before.with(
            List.of(required(rank.writes(), items == null ? LIST : items.schema(), null)));
      }
      case EntityResolution resolution ->
          before.with(List.of(nullable(resolution.into(), UNDECLARED, null)));
      case ReferenceJoin join ->
          before.with(
              List.of(
                  join.collected()
                      ? required(join.into(), LIST, null)
                      : nullable(join.into(), UNDECLARED, null)));
      case StreamJoin join -> before.with(List.of(rightSide(join)));
      case Merge merge -> before.with(List.copyOf(input(merge.with()).known().values()));
      case Aggregate aggregate -> aggregated(aggregate, before);
      case SemanticFilter _, Limit _ -> before;
    };
  }

  /** What the names of the records of an operator begin with. */
  private String path(LogicalOperator operator) {
    return byOperator ? record + "_" + identifier(operator.id()) : record;
  }

  private Fields input(String name) {
    return fields.getOrDefault(name, new Fields(Map.of(), false));
  }

  private Schema.Field rightSide(StreamJoin join) {
    Fields right = input(join.with());
    if (!right.complete()) {
      return nullable(join.into(), UNDECLARED, null);
    }
    Schema document =
        Schema.createRecord(path(join) + "_" + join.into(), null, NAMESPACE, false, copies(right));
    return join.joinKind() == JoinKind.LEFT
        ? nullable(join.into(), document, null)
        : required(join.into(), document, null);
  }

  private Fields aggregated(Aggregate aggregate, Fields before) {
    List<Schema.Field> all = new ArrayList<>();
    aggregate.by().forEach(field -> all.add(before.get(field)));
    aggregate.compute().forEach((field, function) -> all.add(computed(field, function, before)));
    all.addAll(written(aggregate.writes(), path(aggregate)));
    return new Fields(Map.of(), true).with(all);
  }

  private static Schema.Field computed(String name, Computation computation, Fields before) {
    return switch (computation.function()) {
      case COUNT, DISTINCT -> required(name, Schema.create(Schema.Type.LONG), null);
      case SUM -> required(name, Schema.create(Schema.Type.DOUBLE), null);
      case AVG, MIN, MAX -> nullable(name, Schema.create(Schema.Type.DOUBLE), null);
      case LIST -> {
        Schema.Field listed = before.known().get(String.valueOf(computation.field()));
        yield required(
            name, listed == null ? LIST : SchemaBuilder.array().items(listed.schema()), null);
      }
    };
  }

  private static List<Schema.Field> written(List<Field> fields, String path) {
    List<Schema.Field> written = new ArrayList<>();
    for (Field field : fields) {
      Schema type = type(field.type(), path + "_" + field.name());
      String doc = field.description().isEmpty() ? null : field.description();
      written.add(
          field.nullable() ? nullable(field.name(), type, doc) : required(field.name(), type, doc));
    }
    return written;
  }

  private static Schema type(FieldType type, String path) {
    return switch (type) {
      case FieldType.StringType _ -> Schema.create(Schema.Type.STRING);
      case FieldType.IntegerType _ -> Schema.create(Schema.Type.LONG);
      case FieldType.NumberType _ -> Schema.create(Schema.Type.DOUBLE);
      case FieldType.BooleanType _ -> Schema.create(Schema.Type.BOOLEAN);
      case FieldType.ListType list ->
          SchemaBuilder.array().items(type(list.items(), path + "_item"));
      case FieldType.ObjectType object ->
          Schema.createRecord(path, null, NAMESPACE, false, written(object.fields(), path));
    };
  }

  private static Schema.Field required(String name, Schema schema, @Nullable String doc) {
    return new Schema.Field(name, schema, doc);
  }

  private static Schema.Field nullable(String name, Schema schema, @Nullable String doc) {
    Schema union = schema.isNullable() ? schema : Schema.createUnion(NULL, schema);
    return new Schema.Field(name, union, doc, Schema.Field.NULL_DEFAULT_VALUE);
  }

  /** Copies, because a field belongs to one record; they keep default value, aliases and doc. */
  private static List<Schema.Field> copies(Fields fields) {
    return fields.known().values().stream()
        .map(field -> new Schema.Field(field, field.schema()))
        .collect(Collectors.toList());
  }

  /** Whether this is the schema of values without a declared type, which are anything in JSON. */
  public static boolean isUndeclared(Schema schema) {
    return schema.equals(UNDECLARED);
  }

  /**
   * Converts a value to a schema: fields that a record does not have are left out, and lists and
   * objects without a declared type become their JSON text.
   */
  public static JsonNode fitting(JsonNode value, Schema schema) {
    return switch (schema.getType()) {
      case UNION -> {
        if (isUndeclared(schema)) {
          yield value.isContainerNode() ? TextNode.valueOf(value.toString()) : value;
        }
        List<Schema> types =
            schema.getTypes().stream()
                .filter(branch -> branch.getType() != Schema.Type.NULL)
                .toList();
        yield types.size() == 1 ? fitting(value, types.getFirst()) : value;
      }
      case RECORD -> value instanceof ObjectNode object ? record(object, schema) : value;
      case ARRAY ->
          value.isArray()
              ? JsonParts.changed(value, item -> fitting(item, schema.getElementType()))
              : value;
      case MAP ->
          value.isObject()
              ? JsonParts.changed(value, entry -> fitting(entry, schema.getValueType()))
              : value;
      default -> value;
    };
  }

  private static ObjectNode record(ObjectNode object, Schema schema) {
    ObjectNode fitting = object.objectNode();
    for (Schema.Field field : schema.getFields()) {
      JsonNode value = object.get(field.name());
      if (value != null) {
        fitting.set(field.name(), fitting(value, field.schema()));
      }
    }
    return fitting;
  }

  private static String identifier(String name) {
    return name.replaceAll("[^A-Za-z0-9]", "_");
  }
}
