package dev.abacus.topology.operator.prompt;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldCheck;
import dev.abacus.schemas.program.FieldType;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Mends deviations of an answer from its format, if the format leaves one meaning. This saves a
 * call that asks again. Everything else stays as it is, for {@link FieldCheck} to report.
 *
 * <table>
 * <caption>What is mended, and what is not</caption>
 * <tr><th>answer</th><th>format</th><th>result</th><th>not mended</th></tr>
 * <tr><td>{@code {"label": "a", "note": "b"}}</td><td>no field {@code note}</td>
 *     <td>{@code {"label": "a"}}</td>
 *     <td>{@code {"label": "a", "Label": "b"}}: which one?</td></tr>
 * <tr><td>{@code {"Due-Date": "x"}}</td><td>field {@code due_date}</td>
 *     <td>{@code {"due_date": "x"}}</td>
 *     <td>two such keys, or two such fields</td></tr>
 * <tr><td>{@code "5"}, {@code " 0.5 "}</td><td>integer, number</td><td>{@code 5}, {@code 0.5}</td>
 *     <td>{@code "1,000"}, {@code "5 %"}, {@code "five"}, {@code "05"}</td></tr>
 * <tr><td>{@code "true"}, {@code "False"}</td><td>boolean</td>
 *     <td>{@code true}, {@code false}</td><td>{@code "yes"}, {@code 1}, {@code "not true"}</td></tr>
 * <tr><td>{@code "Card_Lost "}</td><td>enum with {@code card_lost}</td>
 *     <td>{@code "card_lost"}</td><td>{@code "card lost"}; an enum with two such values</td></tr>
 * <tr><td>{@code 5}, {@code {…}}, {@code "red"}</td><td>list of such values</td>
 *     <td>{@code [5]}, {@code [{…}]}, {@code ["red"]}</td>
 *     <td>{@code null}, a text that is not one word of an enum or of letters</td></tr>
 * <tr><td>{@code [5]}</td><td>a single value</td><td>{@code 5}</td>
 *     <td>{@code []}, {@code [5, 6]}</td></tr>
 * <tr><td>{@code 5}</td><td>string</td><td></td><td>leading zeros may be lost</td></tr>
 * </table>
 *
 * <p>{@link AnswerFormat} finds the JSON object itself inside Markdown and prose.
 */
final class AnswerMender {

  private static final Pattern NUMBER =
      Pattern.compile("-?(?:0|[1-9]\\d{0,17})(?:\\.\\d{1,18})?(?:[eE][+-]?\\d{1,2})?");

  /** A single word in a script that separates words by white space. */
  private static final Pattern WORD =
      Pattern.compile("[\\p{IsLatin}\\p{IsCyrillic}\\p{IsGreek}\\p{Nd}_-]+");

  private static final Pattern SEPARATORS = Pattern.compile("[\\s_-]+");

  private AnswerMender() {}

  /** The answer with what can be mended; the answer itself is not changed. */
  static ObjectNode mend(List<Field> fields, ObjectNode answer) {
    ObjectNode mended = JsonNodeFactory.instance.objectNode();
    List<String> used = new ArrayList<>();
    for (Field field : fields) {
      String key = key(field, fields, answer);
      if (key != null) {
        used.add(key);
        mended.set(field.name(), single(field.type(), answer.path(key)));
      }
    }
    answer.properties().stream()
        .filter(entry -> !used.contains(entry.getKey()))
        .filter(entry -> contradicts(entry.getKey(), entry.getValue(), fields, mended))
        .forEach(entry -> mended.set(entry.getKey(), entry.getValue()));
    return mended;
  }

  /** The key of a field in the answer: its name, or the only key that is spelled like it. */
  private static @Nullable String key(Field field, List<Field> fields, ObjectNode answer) {
    if (answer.has(field.name())) {
      return field.name();
    }
    String folded = fold(field.name());
    if (fields.stream().filter(other -> fold(other.name()).equals(folded)).count() > 1) {
      return null;
    }
    List<String> keys =
        answer
            .propertyStream()
            .map(entry -> entry.getKey())
            .filter(key -> fold(key).equals(folded))
            .toList();
    return keys.size() == 1 ? keys.getFirst() : null;
  }

  /** Whether an extra key may be another value of a field. */
  private static boolean contradicts(
      String key, JsonNode value, List<Field> fields, ObjectNode mended) {
    return fields.stream()
        .filter(field -> fold(field.name()).equals(fold(key)))
        .anyMatch(field -> !single(field.type(), value).equals(mended.get(field.name())));
  }

  private static String fold(String name) {
    return SEPARATORS.matcher(name).replaceAll("").toLowerCase(Locale.ROOT);
  }

  /** The value of a field, which is not itself an item of a list. */
  private static JsonNode single(FieldType type, JsonNode value) {
    if (value.isArray() && value.size() == 1 && !(type instanceof FieldType.ListType)) {
      JsonNode only = value(type, value.get(0));
      return isValid(type, only) ? only : value;
    }
    return value(type, value);
  }

  private static JsonNode value(FieldType type, JsonNode value) {
    return switch (type) {
      case FieldType.StringType(List<String> values) -> choice(values, value);
      case FieldType.IntegerType _, FieldType.NumberType _ -> number(value);
      case FieldType.BooleanType _ -> truth(value);
      case FieldType.ListType(FieldType items) -> list(items, value);
      case FieldType.ObjectType(List<Field> fields) ->
          value instanceof ObjectNode object ? mend(fields, object) : value;
    };
  }

  private static JsonNode choice(List<String> values, JsonNode value) {
    if (!value.isTextual() || values.contains(value.textValue())) {
      return value;
    }
    String text = value.textValue().strip();
    List<String> alike = values.stream().filter(text::equalsIgnoreCase).toList();
    return alike.size() == 1 ? TextNode.valueOf(alike.getFirst()) : value;
  }

  private static JsonNode number(JsonNode value) {
    if (!value.isTextual()) {
      return value;
    }
    String text = value.textValue().strip();
    if (!NUMBER.matcher(text).matches()) {
      return value;
    }
    BigDecimal number = new BigDecimal(text);
    boolean integral = text.chars().allMatch(c -> c == '-' || Character.isDigit(c));
    return integral ? FieldCheck.integerNode(number.longValueExact()) : DecimalNode.valueOf(number);
  }

  private static JsonNode truth(JsonNode value) {
    String text = value.isTextual() ? value.textValue().strip() : "";
    if (text.equalsIgnoreCase("true")) {
      return BooleanNode.TRUE;
    }
    return text.equalsIgnoreCase("false") ? BooleanNode.FALSE : value;
  }

  private static JsonNode list(FieldType items, JsonNode value) {
    if (value instanceof ArrayNode list) {
      ArrayNode mended = JsonNodeFactory.instance.arrayNode();
      list.forEach(item -> mended.add(value(items, item)));
      return mended;
    }
    boolean manyWords =
        items instanceof FieldType.StringType(List<String> values)
            && values.isEmpty()
            && !WORD.matcher(value.asText()).matches();
    JsonNode item = value(items, value);
    return !manyWords && !(items instanceof FieldType.ListType) && isValid(items, item)
        ? JsonNodeFactory.instance.arrayNode().add(item)
        : value;
  }

  private static boolean isValid(FieldType type, JsonNode value) {
    FieldCheck validator = new FieldCheck();
    validator.object(
        List.of(new Field("value", type, "", false)),
        JsonNodeFactory.instance.objectNode().set("value", value));
    return validator.problems().isEmpty();
  }
}
