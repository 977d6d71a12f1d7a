package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonFormat.Feature;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the documents for which a condition in natural language holds (paper, Table 1: σ), or, if
 * it has none, a condition in code.
 *
 * @param conditions statements about a document, which is kept if all are true; empty if code alone
 *     decides
 * @param shown fields that the model sees; empty means all fields
 * @param where a condition in code that must hold too. It is evaluated first, without a model: a
 *     document for which it is false is dropped. Null if there is none
 * @param fanout expected share of documents that pass if code alone decides, in (0, 1]; null if
 *     unknown. Samples tell it of a filter with a condition in natural language
 */
@JsonPropertyOrder({"filter", "input", "condition", "where", "reads", "fanout"})
public record SemanticFilter(
    @JsonProperty("filter") String id,
    String input,
    @JsonProperty("condition") @JsonFormat(with = Feature.WRITE_SINGLE_ELEM_ARRAYS_UNWRAPPED)
        List<String> conditions,
    @JsonProperty("reads") List<String> shown,
    @Nullable WhereExpression where,
    @Nullable Double fanout)
    implements LogicalOperator {

  public SemanticFilter {
    conditions = List.copyOf(conditions);
    shown = List.copyOf(shown);
    if (conditions.isEmpty() && where == null) {
      throw new IllegalArgumentException("filter '" + id + "' has no 'condition' and no 'where'");
    }
    if (conditions.isEmpty() && !shown.isEmpty()) {
      throw new IllegalArgumentException(
          "'reads' of filter '%s' names what a model sees; without a 'condition' none is asked"
              .formatted(id));
    }
    if (!conditions.isEmpty() && fanout != null) {
      throw new IllegalArgumentException(
          "samples tell how many documents pass filter '%s'; leave 'fanout' out".formatted(id));
    }
    Fanout.requireAtMostOne(fanout, id);
  }

  /** A filter without a condition in code. */
  public SemanticFilter(String id, String input, List<String> conditions, List<String> shown) {
    this(id, input, conditions, shown, null, null);
  }

  /** A filter with one condition. */
  public SemanticFilter(String id, String input, String condition, List<String> shown) {
    this(id, input, List.of(condition), shown, null, null);
  }

  /** The condition as the prompt states it. */
  public String condition() {
    return conditions.size() == 1
        ? conditions.getFirst()
        : conditions.stream().collect(Collectors.joining("\n- ", "All of these hold:\n- ", ""));
  }

  /**
   * Whether the condition in code is false, so that the filter drops the document without a call.
   */
  public boolean isDroppedByCode(Document document) {
    return where != null
        && where.evaluate(document) instanceof WhereExpression.Value.Decided(boolean holds)
        && !holds;
  }

  /** The fields that the model sees and those of the condition in code. */
  @Override
  public List<String> reads() {
    List<String> inCode = where == null ? List.of() : where.fields();
    if (inCode == null || (isSemantic() && shown.isEmpty())) {
      return List.of();
    }
    Set<String> read = new TreeSet<>(shown);
    read.addAll(inCode);
    return List.copyOf(read);
  }

  @Override
  public boolean isSemantic() {
    return !conditions.isEmpty();
  }

  @Override
  public boolean hasFanout() {
    return !isSemantic();
  }

  @Override
  public List<String> seenByModel() {
    return shown;
  }

  @Override
  public Outputs outputs() {
    return Outputs.AT_MOST_ONE;
  }

  @Override
  public boolean decides() {
    return true;
  }

  @Override
  public SemanticFilter withInputs(List<String> inputs) {
    return new SemanticFilter(id, inputs.getFirst(), conditions, shown, where, fanout);
  }

  @Override
  public SemanticFilter withOrder(List<String> fields) {
    return new SemanticFilter(id, input, conditions, fields, where, fanout);
  }
}
