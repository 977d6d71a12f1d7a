package dev.abacus.topology.operator.prompt;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.topology.operator.prompt.AnswerFormat.Parsed;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is mended without a call has one meaning, and follows the schema afterwards. */
class AnswerFormatTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private static final FieldType TEXT = new FieldType.StringType(List.of());
  private static final FieldType COLOUR =
      new FieldType.StringType(List.of("red", "green", "light_blue"));

  private static final AnswerFormat<Document> FORMAT =
      AnswerFormat.document(
          List.of(
              new Field("colour", COLOUR, "", false),
              new Field("count", new FieldType.IntegerType(0L, 9L), "", true),
              new Field("share", new FieldType.NumberType(0.0, 1.0), "", true),
              new Field("is_new", new FieldType.BooleanType(), "", true),
              new Field("tags", new FieldType.ListType(TEXT), "", true),
              new Field("colours", new FieldType.ListType(COLOUR), "", true),
              new Field(
                  "parts",
                  new FieldType.ListType(
                      new FieldType.ObjectType(List.of(new Field("name", TEXT, "", false)))),
                  "",
                  true)));

  private static final String RIGHT =
      """
      {"colour":"red","count":7,"share":0.5,"is_new":true,"tags":["a"],"colours":["green"],\
      "parts":[{"name":"x y"}]}\
      """;

  private static @Nullable String parsed(String answer) {
    return switch (FORMAT.parse(answer)) {
      case Parsed.Valid<Document>(Document document) -> document.toString();
      case Parsed.Invalid<Document> _ -> null;
    };
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "~,\"note\":\"extra\"~\"is_new\"",
        "~\"Red\"~\"red\"",
        "~\" RED \"~\"red\"",
        "~\"7\"~7",
        "~\" 7 \"~7",
        "~\"0.5\"~0.5",
        "~\"5e-1\"~0.5",
        "~\"True\"~true",
        "~\"false \"~false",
        "~\"a\"~[\"a\"]",
        "~\"Green\"~[\"green\"]",
        "~[\"Green\"]~[\"green\"]",
        "~{\"name\":\"x y\"}~[{\"name\":\"x y\"}]",
        "~[\"red\"],\"count\"~\"red\",\"count\"",
        "~[7]~7",
        "~\"Colour\"~\"colour\"",
        "~\"isNew\"~\"is_new\"",
        "~\"is new\"~\"is_new\"",
        "~\"colour\":\"Red\",\"COLOUR\"~\"colour\"",
      })
  void oneMeaningIsMended(String change) {
    String[] parts = change.split("~", -1);
    String wrong;
    if (parts[1].startsWith(",")) {
      wrong = RIGHT.replace("," + parts[2], parts[1] + "," + parts[2]);
    } else if (parts[1].equals("\"false \"")) {
      wrong = RIGHT.replace("true", parts[1]);
    } else {
      wrong = RIGHT.replace(parts[2], parts[1]);
    }
    assertThat(wrong).isNotEqualTo(RIGHT);
    String right = parts[1].equals("\"false \"") ? RIGHT.replace("true", "false") : RIGHT;
    assertThat(parsed(wrong)).as(wrong).isEqualTo(right);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "```json\n%s\n```",
        "Here is the answer:\n%s\nAnything else?",
        "The form is {\"colour\": ...}, so: %s",
        "An example would be {\"colour\":\"red\"}. My answer: %s",
        "%s\n\n%s",
      })
  void theObjectIsFoundInMarkdownAndProse(String frame) {
    assertThat(parsed(frame.replace("%s", RIGHT))).isEqualTo(RIGHT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\"red\"~\"light blue\"",
        "\"red\"~\"redgreen\"",
        "\"red\"~null",
        "\"red\"~[\"red\",\"green\"]",
        "\"red\"~[]",
        "\"colour\"~\"kind\"",
        "\"colour\":\"red\"~\"colour\":\"red\",\"Colour\":\"green\"",
        "\"colour\":\"red\"~\"Colour\":\"red\",\"COLOUR\":\"red\"",
        "7~\"five\"",
        "7~\"1,000\"",
        "7~\"5 pieces\"",
        "7~\"05\"",
        "7~\"0x5\"",
        "7~\"５\"",
        "7~\"5.5\"",
        "7~\"12\"",
        "7~\"\"",
        "7~true",
        "0.5~\"50%\"",
        "0.5~\"NaN\"",
        "0.5~\"1e999999999\"",
        "true~\"yes\"",
        "true~1",
        "true~\"not true\"",
        "true~\"true, false\"",
        "[\"a\"]~\"a, b\"",
        "[\"a\"]~\"a and b\"",
        "[\"a\"]~\"a/b\"",
        "[\"a\"]~\"\"",
        "[\"a\"]~\"红色和蓝色\"",
        "[\"a\"]~5",
        "[\"a\"]~{\"0\":\"a\"}",
        "[\"green\"]~\"green red\"",
        "[\"green\"]~[[\"green\"],[\"red\"]]",
        "[{\"name\":\"x y\"}]~{\"title\":\"x\"}",
        "\"x y\"~7",
      })
  void anythingElseIsAProblem(String change) {
    String[] parts = change.split("~", -1);
    String wrong = RIGHT.replaceFirst(Pattern.quote(parts[0]), parts[1]);
    assertThat(wrong).isNotEqualTo(RIGHT);
    assertThat(FORMAT.parse(wrong)).as(wrong).isInstanceOf(Parsed.Invalid.class);
  }

  @Test
  void severalDifferentAnswersAreAProblem() {
    assertThat(
            FilterPrompt.DECISION.parse(
                "First I thought {\"satisfied\": true}, but no: {\"satisfied\": false}"))
        .isEqualTo(new Parsed.Invalid<>(List.of("there are several different JSON objects in it")));
    assertThat(FilterPrompt.DECISION.parse("{\"satisfied\": \"True\"} {\"satisfied\": true}"))
        .isEqualTo(new Parsed.Valid<>(true));
  }

  /** Random deviations from random formats, each with one meaning, give the answer back. */
  @Test
  void randomDeviationsWithOneMeaningAreMended() {
    Random random = new Random(3);
    for (int i = 0; i < 3000; i++) {
      List<Field> fields = fields(random, 2);
      ObjectNode answer = object(fields, random);
      ObjectNode deviating = deviating(fields, answer, random);
      assertThat(checked(fields, deviating)).as(deviating + " for " + fields).isEqualTo(answer);
    }
  }

  /** Whatever a model answers: what is accepted follows the schema, and stays as it is. */
  @Test
  void whatIsMendedFollowsTheSchema() {
    Random random = new Random(4);
    int accepted = 0;
    for (int i = 0; i < 20_000; i++) {
      List<Field> fields = fields(random, 2);
      ObjectNode answer = deviating(fields, object(fields, random), random);
      List<String> names = new ArrayList<>();
      answer.fieldNames().forEachRemaining(names::add);
      JsonNode other = noise(random, 2);
      if (!names.isEmpty() && random.nextBoolean()) {
        answer.set(names.get(random.nextInt(names.size())), other);
      }
      ObjectNode checked = checked(fields, answer);
      if (checked != null) {
        accepted++;
        FieldCheck strict = new FieldCheck();
        assertThat(strict.object(fields, checked)).isEqualTo(checked);
        assertThat(strict.problems()).isEmpty();
        assertThat(AnswerMender.mend(fields, checked)).isEqualTo(checked);
      }
    }
    assertThat(accepted).isBetween(8_000, 19_000);
  }

  private static @Nullable ObjectNode checked(List<Field> fields, ObjectNode answer) {
    AnswerFormat<ObjectNode> format = new AnswerFormat<>("any", fields, object -> object);
    return switch (format.parse("So:\n" + answer)) {
      case Parsed.Valid<ObjectNode>(ObjectNode object) -> object;
      case Parsed.Invalid<ObjectNode> _ -> null;
    };
  }

  private static List<Field> fields(Random random, int depth) {
    List<Field> fields = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      fields.add(new Field("field_" + i, type(random, depth), "", false));
    }
    return fields;
  }

  private static FieldType type(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> TEXT;
      case 1 -> COLOUR;
      case 2 -> new FieldType.IntegerType(-20L, 300L);
      case 3 -> new FieldType.NumberType(0.0, 1.0);
      case 4 -> new FieldType.BooleanType();
      case 5 -> new FieldType.ListType(type(random, 0));
      default -> new FieldType.ObjectType(fields(random, depth - 1));
    };
  }

  private static ObjectNode object(List<Field> fields, Random random) {
    ObjectNode object = JSON.objectNode();
    fields.forEach(field -> object.set(field.name(), value(field.type(), random)));
    return object;
  }

  private static JsonNode value(FieldType type, Random random) {
    return switch (type) {
      case FieldType.StringType(List<String> values) when values.isEmpty() ->
          JSON.textNode("word" + random.nextInt(100));
      case FieldType.StringType(List<String> values) ->
          JSON.textNode(values.get(random.nextInt(values.size())));
      case FieldType.IntegerType _ -> JSON.numberNode(random.nextInt(-20, 300));
      case FieldType.NumberType _ ->
          JSON.numberNode(new BigDecimal(random.nextInt(1000)).movePointLeft(3));
      case FieldType.BooleanType _ -> JSON.booleanNode(random.nextBoolean());
      case FieldType.ListType(FieldType items) -> {
        ArrayNode list = JSON.arrayNode();
        for (int i = random.nextInt(3); i > 0; i--) {
          list.add(value(items, random));
        }
        yield list;
      }
      case FieldType.ObjectType(List<Field> fields) -> object(fields, random);
    };
  }

  private static ObjectNode deviating(List<Field> fields, ObjectNode answer, Random random) {
    ObjectNode deviating = JSON.objectNode();
    if (random.nextBoolean()) {
      deviating.set("comment", noise(random, 1));
    }
    for (Field field : fields) {
      String key =
          switch (random.nextInt(4)) {
            case 0 -> field.name().toUpperCase(Locale.ROOT);
            case 1 -> field.name().replace('_', '-');
            default -> field.name();
          };
      deviating.set(key, deviating(field.type(), answer.path(field.name()), random));
    }
    return deviating;
  }

  private static JsonNode deviating(FieldType type, JsonNode value, Random random) {
    if (random.nextInt(3) == 0) {
      return value;
    }
    return switch (type) {
      case FieldType.StringType(List<String> values) ->
          values.isEmpty()
              ? value
              : TextNode.valueOf(value.textValue().toUpperCase(Locale.ROOT) + " ");
      case FieldType.IntegerType _, FieldType.NumberType _ -> TextNode.valueOf(value.asText());
      case FieldType.BooleanType _ ->
          TextNode.valueOf(
              random.nextBoolean() ? value.asText() : value.asText().toUpperCase(Locale.ROOT));
      case FieldType.ListType(FieldType items) -> {
        if (value.size() == 1) {
          yield deviating(items, value.get(0), random);
        }
        ArrayNode list = JSON.arrayNode();
        value.forEach(item -> list.add(deviating(items, item, random)));
        yield list;
      }
      case FieldType.ObjectType(List<Field> fields) ->
          deviating(fields, (ObjectNode) value, random);
    };
  }

  private static JsonNode noise(Random random, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 5)) {
      case 0 -> JSON.numberNode(random.nextInt(5));
      case 1 -> JSON.textNode(List.of("true", "5", "red", "a, b", "", "{").get(random.nextInt(6)));
      case 2 -> JSON.booleanNode(random.nextBoolean());
      case 3 -> JSON.nullNode();
      case 4 -> JSON.arrayNode();
      case 5 -> JSON.arrayNode().add(noise(random, depth - 1));
      default -> JSON.objectNode().set("field_1", noise(random, depth - 1));
    };
  }
}
