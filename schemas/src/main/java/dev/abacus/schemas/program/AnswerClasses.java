package dev.abacus.schemas.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The answers that an operator can give at all, where they are so few that a classifier can choose
 * among them: those of a filter, and of a map that writes one field of a closed type.
 *
 * @param values JSON values, in a stable order; at least two
 */
public record AnswerClasses(List<JsonNode> values) {

  /** More than these are not learnt from the handful of examples that a search sees. */
  public static final int MOST = 100;

  private static final List<JsonNode> TRUTH =
      List.of(
          JsonNodeFactory.instance.booleanNode(true), JsonNodeFactory.instance.booleanNode(false));

  public AnswerClasses {
    values = List.copyOf(values);
  }

  /** The answers of an operator; null if they are too many, or the operator asks no such thing. */
  public static @Nullable AnswerClasses of(LogicalOperator operator) {
    return switch (operator) {
      case SemanticFilter _ -> new AnswerClasses(TRUTH);
      case SemanticMap map when map.cardinality() == Cardinality.ONE && map.writes().size() == 1 ->
          of(map.writes().getFirst());
      case LogicalOperator _ -> null;
    };
  }

  /**
   * What a label says of the operator's one answer: itself for a filter, the written field's value
   * for a map. Null if it says nothing.
   */
  public static @Nullable JsonNode said(LogicalOperator operator, @Nullable JsonNode label) {
    if (label == null || label.isNull()) {
      return null;
    }
    return operator instanceof SemanticMap map ? label.get(map.writes().getFirst().name()) : label;
  }

  private static @Nullable AnswerClasses of(Field field) {
    List<JsonNode> values = new ArrayList<>(of(field.type()));
    if (field.nullable() && !values.isEmpty()) {
      values.add(JsonNodeFactory.instance.nullNode());
    }
    return values.size() < 2 || values.size() > MOST ? null : new AnswerClasses(values);
  }

  /** Empty if there are too many. */
  private static List<JsonNode> of(FieldType type) {
    return switch (type) {
      case FieldType.StringType(List<String> values) ->
          values.stream().<JsonNode>map(JsonNodeFactory.instance::textNode).toList();
      case FieldType.BooleanType _ -> TRUTH;
      case FieldType.IntegerType(Long minimum, Long maximum)
          when minimum != null
              && maximum != null
              && maximum - minimum < MOST
              && maximum - minimum >= 0 ->
          LongStream.rangeClosed(minimum, maximum)
              .<JsonNode>mapToObj(AnswerClasses::whole)
              .toList();
      case FieldType.IntegerType _,
          FieldType.NumberType _,
          FieldType.ListType _,
          FieldType.ObjectType _ ->
          List.of();
    };
  }

  /** As a parser would read it, so that a document equals itself after a way through bytes. */
  private static JsonNode whole(long value) {
    return value == (int) value
        ? JsonNodeFactory.instance.numberNode((int) value)
        : JsonNodeFactory.instance.numberNode(value);
  }

  /**
   * The one of these answers that a value stands for, as people write labels: texts regardless of
   * case and outer white space, numbers regardless of their notation. Null if it is none of them.
   */
  public @Nullable JsonNode find(JsonNode value) {
    String canonical = canonical(value);
    for (JsonNode candidate : values) {
      if (canonical(candidate).equals(canonical)) {
        return candidate;
      }
    }
    return null;
  }

  private static String canonical(JsonNode value) {
    if (value.isTextual()) {
      return '"' + value.textValue().strip().toLowerCase(Locale.ROOT) + '"';
    }
    return value.isNumber() && Double.isFinite(value.doubleValue())
        ? value.decimalValue().stripTrailingZeros().toPlainString()
        : value.toString();
  }
}
