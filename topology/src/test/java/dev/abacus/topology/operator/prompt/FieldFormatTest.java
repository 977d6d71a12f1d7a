package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.FieldType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The validator accepts the answers that follow the schema, and no others. */
class FieldFormatTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final JsonMapper MAPPER = JsonMapper.builder().build();

  private static List<Field> randomFields(Random random, int depth) {
    List<Field> fields = new ArrayList<>();
    for (int i = 1 + random.nextInt(4); i > 0; i--) {
      fields.add(new Field("f" + i, randomType(random, depth), "", random.nextInt(3) == 0));
    }
    return fields;
  }

  private static FieldType randomType(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 6)) {
      case 0 -> new FieldType.StringType(List.of());
      case 1 -> new FieldType.StringType(List.of("red", "green"));
      case 2 -> new FieldType.IntegerType(null, null);
      case 3 -> new FieldType.IntegerType(-2L, 3L);
      case 4 -> new FieldType.NumberType(0.0, 1.0);
      case 5 -> new FieldType.BooleanType();
      case 6 -> new FieldType.ListType(randomType(random, depth - 1));
      default -> new FieldType.ObjectType(randomFields(random, depth - 1));
    };
  }

  /** A random value that follows a schema. */
  private static JsonNode valid(JsonNode schema, Random random) {
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      if (random.nextInt(3) == 0) {
        return JSON.nullNode();
      }
      type = type.get(0);
    }
    return switch (type.asText()) {
      case "string" ->
          schema.has("enum")
              ? schema.get("enum").get(random.nextInt(2))
              : JSON.textNode("t" + random.nextInt());
      case "integer" ->
          JSON.numberNode(
              schema.has("minimum")
                  ? random.nextLong(
                      schema.get("minimum").asLong(), schema.get("maximum").asLong() + 1)
                  : random.nextLong());
      case "number" -> JSON.numberNode(random.nextDouble());
      case "boolean" -> JSON.booleanNode(random.nextBoolean());
      case "array" -> {
        ArrayNode list = JSON.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          list.add(valid(schema.get("items"), random));
        }
        yield list;
      }
      case "object" -> {
        assertThat(schema.path("additionalProperties").asBoolean(true)).isFalse();
        ObjectNode object = JSON.objectNode();
        schema
            .path("required")
            .forEach(
                n -> object.set(n.asText(), valid(schema.at("/properties/" + n.asText()), random)));
        assertThat(object.size()).isEqualTo(schema.path("properties").size());
        yield object;
      }
      default -> throw new AssertionError(schema);
    };
  }

  @Test
  void anAnswerThatFollowsTheSchemaIsValidAndUnchanged() {
    Random random = new Random(11);
    for (int i = 0; i < 2000; i++) {
      List<Field> fields = randomFields(random, 2);
      ObjectNode answer = (ObjectNode) valid(FieldSchema.of(fields), random);
      FieldCheck check = new FieldCheck();
      assertThat(check.object(fields, answer)).hasToString(answer.toString());
      assertThat(check.problems()).isEmpty();
    }
  }

  @Test
  void aMissingOrExtraFieldIsAProblem() {
    Random random = new Random(12);
    for (int i = 0; i < 500; i++) {
      List<Field> fields = randomFields(random, 2);
      ObjectNode answer = (ObjectNode) valid(FieldSchema.of(fields), random);
      ObjectNode more = answer.deepCopy().put("extra", 1);
      assertThat(problems(fields, more)).containsExactly("extra: not asked for");
      String first = fields.getFirst().name();
      answer.remove(first);
      assertThat(problems(fields, answer)).containsExactly(first + ": missing");
    }
  }

  private static List<String> problems(List<Field> fields, JsonNode answer) {
    FieldCheck check = new FieldCheck();
    check.object(fields, answer);
    return check.problems();
  }

  private static List<String> problemsOf(FieldType type, String json)
      throws JsonProcessingException {
    return problems(
        List.of(new Field("f", type, "", false)),
        JSON.objectNode().set("f", MAPPER.readTree(json)));
  }

  @Test
  void valuesOfAnotherTypeAreNotConverted() throws JsonProcessingException {
    Map<String, FieldType> wrong =
        Map.ofEntries(
            Map.entry("\"true\"", new FieldType.BooleanType()),
            Map.entry("\"not true\"", new FieldType.BooleanType()),
            Map.entry("1", new FieldType.BooleanType()),
            Map.entry("\"5\"", new FieldType.IntegerType(null, null)),
            Map.entry("5.5", new FieldType.IntegerType(null, null)),
            Map.entry("1e999999", new FieldType.IntegerType(null, null)),
            Map.entry("9223372036854775808", new FieldType.IntegerType(null, null)),
            Map.entry("6", new FieldType.IntegerType(1L, 5L)),
            Map.entry("0", new FieldType.IntegerType(1L, 5L)),
            Map.entry("1.0000001", new FieldType.NumberType(0.0, 1.0)),
            Map.entry("-0.1", new FieldType.NumberType(0.0, 1.0)),
            Map.entry("7", new FieldType.StringType(List.of())),
            Map.entry("\"Red\"", new FieldType.StringType(List.of("red"))),
            Map.entry("{}", new FieldType.ListType(new FieldType.BooleanType())),
            Map.entry("[null]", new FieldType.ListType(new FieldType.BooleanType())),
            Map.entry(
                "[]",
                new FieldType.ObjectType(
                    List.of(new Field("g", new FieldType.BooleanType(), "", true)))),
            Map.entry("null", new FieldType.StringType(List.of())));
    for (var each : wrong.entrySet()) {
      assertThat(problemsOf(each.getValue(), each.getKey())).as(each.toString()).hasSize(1);
    }
  }

  @Test
  void anIntegerMayHaveADecimalPoint() {
    List<Field> fields = List.of(new Field("f", new FieldType.IntegerType(1L, 5L), "", false));
    FieldCheck check = new FieldCheck();
    assertThat(check.object(fields, JSON.objectNode().put("f", 5.0))).hasToString("{\"f\":5}");
    assertThat(check.problems()).isEmpty();
  }

  @Test
  void descriptionsHaveNameTypeMeaningAndLimits() {
    assertThat(
            FieldDescriptions.of(
                List.of(
                    new Field(
                        "intent",
                        new FieldType.StringType(List.of("a", "b")),
                        "label\nof it",
                        true),
                    new Field("urgency", new FieldType.IntegerType(1L, 5L), "", false),
                    new Field(
                        "spans",
                        new FieldType.ListType(new FieldType.StringType(List.of())),
                        "cited",
                        false))))
        .isEqualTo(
            """
            - intent (string or null): label of it [one of: a | b]
            - urgency (integer): [from 1 to 5]
            - spans (list of string): cited\
            """);
  }
}
