package dev.abacus.schemas.program.io;

import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.SortField;
import dev.abacus.schemas.program.TopK;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Reads one operator of a program; {@link ProgramWriter} writes it. */
final class OperatorReader {

  /**
   * Names of programs, operators and references are parts of names of topics, which are limited.
   */
  static final int LONGEST_NAME = 100;

  static final Pattern NAME = Pattern.compile("[a-z][a-z0-9-]{0,%d}".formatted(LONGEST_NAME - 1));
  static final String NAMES =
      "use at most %d lower-case letters, digits and hyphens".formatted(LONGEST_NAME);

  static final List<String> KINDS =
      List.of("map", "filter", "project", "topk", "rank", "join", "resolve", "aggregate", "limit");

  /** Ids of operators that rules made of others stand in plans, never in programs. */
  private static final Pattern ID = Pattern.compile(NAME + "([.+][a-z0-9][a-z0-9-]*)*");

  private static final int LONGEST_ID = 20 * LONGEST_NAME;

  private static final List<String> TYPES =
      List.of("string", "integer", "number", "boolean", "list", "object");

  private static final List<String> TYPE_KEYS =
      List.of("description", "nullable", "enum", "minimum", "maximum", "items", "properties");

  private OperatorReader() {}

  /**
   * The operator, or null if a mistake was noted.
   *
   * @param previous the default input; null if there is none
   */
  static @Nullable LogicalOperator read(YamlNode node, @Nullable String previous) {
    if (!node.requireMapping()) {
      return null;
    }
    String kind = node.keys().isEmpty() ? "" : node.keys().iterator().next();
    for (String key : node.keys()) {
      kind = KINDS.contains(key) ? key : kind;
    }
    if (!KINDS.contains(kind)) {
      node.note(NameSuggestions.unknown("operator", kind, KINDS));
      return null;
    }
    YamlNode inputNode = node.optional("input");
    String input = inputNode == null ? previous : inputNode.text();
    if (input == null) {
      node.note("'input' is missing: name one of the sources");
      return null;
    }
    LogicalOperator operator =
        switch (kind) {
          case "map" -> map(node, input);
          case "filter" -> filter(node, input);
          case "topk" -> topK(node, input);
          case "rank" -> rank(node, input);
          case "resolve" -> resolve(node, input);
          case "join" -> JoinReader.read(node, id(node, "join"), input);
          case "aggregate" -> AggregateReader.read(node, id(node, "aggregate"), input);
          case "limit" -> limit(node, input);
          default -> project(node, input);
        };
    node.refuseOtherKeys();
    return operator;
  }

  private static @Nullable LogicalOperator map(YamlNode node, String input) {
    String id = id(node, "map");
    String instruction = node.text("instruction");
    List<String> reads = node.texts("reads");
    List<Field> writes = fields(node.required("writes"), 0);
    Cardinality cardinality = node.choice("cardinality", Cardinality.ONE);
    return writes.isEmpty()
        ? null
        : node.build(() -> new SemanticMap(id, input, instruction, reads, writes, cardinality));
  }

  private static @Nullable LogicalOperator filter(YamlNode node, String input) {
    String id = id(node, "filter");
    YamlNode conditions = node.optional("condition");
    List<String> reads = node.texts("reads");
    YamlNode code = node.optional("where");
    List<String> texts = conditions == null ? List.of() : conditions.texts();
    WhereExpression where = code == null ? null : where(code, WhereExpression::compile);
    Double fanout = node.optional("fanout", YamlNode::real);
    return code != null && where == null
        ? null
        : node.build(() -> new SemanticFilter(id, input, texts, reads, where, fanout));
  }

  static @Nullable WhereExpression where(
      YamlNode node, Function<String, WhereExpression> compiler) {
    String text = node.text();
    return text.isBlank() ? null : node.build(() -> compiler.apply(text));
  }

  private static @Nullable LogicalOperator topK(YamlNode node, String input) {
    String id = id(node, "topk");
    String from = node.text("from");
    YamlNode query = node.required("query");
    YamlNode kNode = node.optional("k");
    String writes = node.text("writes");
    Integer k = kNode == null || kNode.text().equals("auto") ? null : count(kNode);
    return node.build(query, fields -> new TopK(id, input, from, fields.texts(), k, writes));
  }

  private static @Nullable LogicalOperator rank(YamlNode node, String input) {
    String id = id(node, "rank");
    String items = node.text("items");
    String criterion = node.text("criterion");
    List<String> reads = node.texts("reads");
    Integer k = node.optional("k", OperatorReader::count);
    String key = node.text("key", "id");
    String writes = node.text("writes", items);
    return node.build(() -> new SemanticRank(id, input, items, criterion, reads, k, key, writes));
  }

  private static @Nullable LogicalOperator resolve(YamlNode node, String input) {
    String id = id(node, "resolve");
    String with = node.text("with");
    String condition =
        node.optional("condition") == null ? EntityResolution.SAME : node.text("condition");
    List<String> reads = node.texts("reads");
    String into = node.text("into", with);
    return node.build(() -> new EntityResolution(id, input, with, condition, reads, into));
  }

  private static @Nullable Integer count(YamlNode node) {
    return node.build(node.whole(), number -> Math.clamp(number, 0, Integer.MAX_VALUE));
  }

  private static @Nullable LogicalOperator limit(YamlNode node, String input) {
    Long count = node.required("limit", YamlNode::whole);
    String id = node.optional("id") == null ? "limit" : id(node, "id");
    Duration window = node.optional("window", SettingsReader::duration);
    List<SortField> order = order(node.optional("order"));
    Duration grace = node.optional("grace", SettingsReader::duration);
    Double fanout = node.optional("fanout", YamlNode::real);
    return node.build(count, number -> new Limit(id, input, number, window, order, grace, fanout));
  }

  private static List<SortField> order(@Nullable YamlNode node) {
    List<SortField> order = new ArrayList<>();
    for (YamlNode item : node == null ? List.<YamlNode>of() : node.items()) {
      SortField field = item.build(() -> SortField.parse(item.text()));
      if (field != null) {
        order.add(field);
      }
    }
    return order;
  }

  private static @Nullable LogicalOperator project(YamlNode node, String input) {
    YamlNode fields = node.required("project");
    String id = node.optional("id") == null ? "project" : id(node, "id");
    return node.build(fields, each -> new Project(id, input, each.texts()));
  }

  private static String id(YamlNode node, String key) {
    String id = node.text(key);
    YamlNode entry = node.optional(key);
    if (entry != null && !id.isBlank() && (id.length() > LONGEST_ID || !ID.matcher(id).matches())) {
      entry.note("'%s' is not an operator id; %s".formatted(id, NAMES));
    }
    return id;
  }

  static List<Field> fields(@Nullable YamlNode node, int depth) {
    Map<String, Field> fields = YamlNode.entries(node, (name, entry) -> field(name, entry, depth));
    if (node != null && node.isMapping() && node.keys().isEmpty()) {
      node.note("names no field");
    }
    return List.copyOf(fields.values());
  }

  private static @Nullable Field field(String name, YamlNode node, int depth) {
    FieldType type = type(node, depth);
    if (type == null) {
      return null;
    }
    String description = node.text("description", "");
    boolean nullable = node.bool("nullable", false);
    node.refuseOtherKeys();
    return node.build(() -> new Field(name, type, description, nullable));
  }

  private static @Nullable FieldType type(YamlNode node, int depth) {
    YamlNode typeNode = node.isMapping() ? node.required("type") : node;
    if (typeNode == null) {
      // The key may be mistyped: reading every valid key leaves the invalid one for the report.
      TYPE_KEYS.forEach(node::optional);
      node.refuseOtherKeys();
      return null;
    }
    if (depth > 8) {
      node.note("types are nested deeper than 8");
      return null;
    }
    String type = typeNode.choice("type", TYPES);
    return switch (type) {
      case "string" -> new FieldType.StringType(values(node.optional("enum")));
      case "integer" ->
          node.build(() ->
              new FieldType.IntegerType(
                  node.optional("minimum", YamlNode::whole),
                  node.optional("maximum", YamlNode::whole)));
      case "number" ->
          node.build(() ->
              new FieldType.NumberType(
                  node.optional("minimum", YamlNode::real),
                  node.optional("maximum", YamlNode::real)));
      case "boolean" -> new FieldType.BooleanType();
      case "list" -> list(node, depth);
      case "object" -> dictionary(node, depth);
      case null, default -> null;
    };
  }

  /** Values may be empty texts. */
  private static List<String> values(@Nullable YamlNode node) {
    return node == null
        ? List.of()
        : node.items().stream().map(YamlNode::scalar).distinct().toList();
  }

  private static @Nullable FieldType list(YamlNode node, int depth) {
    YamlNode items = node.optional("items");
    if (items == null) {
      return new FieldType.ListType(new FieldType.StringType(List.of()));
    }
    FieldType type = type(items, depth + 1);
    items.refuseOtherKeys();
    return type == null ? null : new FieldType.ListType(type);
  }

  private static @Nullable FieldType dictionary(YamlNode node, int depth) {
    List<Field> properties = fields(node.required("properties"), depth + 1);
    return properties.isEmpty() ? null : new FieldType.ObjectType(properties);
  }
}
