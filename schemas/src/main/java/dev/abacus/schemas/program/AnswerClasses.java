package dev.abacus.schemas.program;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.program.SemanticMap.Cardinality;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * The possible answers of an operator, if they are few enough for a classifier: true and false for
 * a filter, and the values of the field for a map that writes one field of a closed type.
 *
 * @param values at least two JSON values, in a stable order
 */
public record AnswerClasses(List<JsonNode> values) {

  /** Maximum number of classes: a search has too few examples to learn more. */
  public static final int MOST = 100;

  private static final List<JsonNode> TRUTH =
      List.of(
          JsonNodeFactory.instance.booleanNode(true), JsonNodeFactory.instance.booleanNode(false));

  public AnswerClasses {
    values = List.copyOf(values);
  }

  /** The possible answers of an operator; null if they are not a small closed set. */
  public static @Nullable AnswerClasses of(LogicalOperator operator) {
    List<AnswerClasses> parts = parts(operator);
    return parts.size() == 1 ? parts.getFirst() : null;
  }

  /**
   * Whether the answer of an operator to a document is one of a closed set: that of a filter, and
   * of a map with one output all of whose fields have few possible values. Then a classifier can
   * answer for a model.
   */
  public static boolean areClosed(LogicalOperator operator) {
    return !parts(operator).isEmpty();
  }

  /** The possible values of each part of an answer; empty if one of them is open. */
  private static List<AnswerClasses> parts(LogicalOperator operator) {
    return switch (operator) {
      case SemanticFilter _ -> List.of(new AnswerClasses(TRUTH));
      case SemanticMap map ->
          map.cardinality() == Cardinality.ONE
                  && map.writes().stream().allMatch(field -> of(field) != null)
              ? map.writes().stream().map(AnswerClasses::of).map(Objects::requireNonNull).toList()
              : List.of();
      case Project _,
          TopK _,
          SemanticRank _,
          EntityResolution _,
          ReferenceJoin _,
          StreamJoin _,
          Merge _,
          Aggregate _,
          Limit _ ->
          List.of();
    };
  }

  /**
   * The answer in a label: the label itself for a filter, the value of the written field for a map.
   * Null if the label has no answer.
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

  /** Empty if the values are not a closed set or too many. */
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
              .<JsonNode>mapToObj(FieldCheck::integerNode)
              .toList();
      case FieldType.IntegerType _,
          FieldType.NumberType _,
          FieldType.ListType _,
          FieldType.ObjectType _ ->
          List.of();
    };
  }

  /**
   * The class that a label denotes, or null. Texts are compared without case and outer white space,
   * numbers by value.
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
