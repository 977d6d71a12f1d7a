package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import java.util.List;
import java.util.Set;

/**
 * Joins a document with the items of a reference for which a condition in natural language holds
 * (paper, Table 1: ⋈).
 *
 * @param with name of the reference
 * @param condition a statement about a document and an item
 * @param pairs what must hold in code too. It is evaluated first, without a model: a pair for which
 *     it is false is no match
 * @param shown fields of the document that the model sees; empty means all fields
 * @param into the field for the matched item, or for the list of matched items
 * @param collected true for one output with the list of all matches; false for one output per match
 */
public record ReferenceJoin(
    @JsonProperty("join") String id,
    String input,
    String with,
    String condition,
    @JsonUnwrapped PairCondition pairs,
    @JsonProperty("reads") List<String> shown,
    @JsonProperty("kind") JoinKind joinKind,
    String into,
    @JsonIgnore boolean collected)
    implements LogicalOperator {

  public ReferenceJoin {
    shown = List.copyOf(shown);
  }

  /** The fields that the model sees and those of the condition in code. */
  @Override
  public List<String> reads() {
    Set<String> inCode = pairs.reads();
    if (pairs.isNone() || shown.isEmpty() || inCode == null) {
      return pairs.isNone() ? shown : List.of();
    }
    inCode.addAll(shown);
    return List.copyOf(inCode);
  }

  @Override
  public List<String> seenByModel() {
    return shown;
  }

  @Override
  public boolean writesItems() {
    return true;
  }

  @Override
  public List<String> writtenFields() {
    return List.of(into);
  }

  @Override
  public Outputs outputs() {
    return joinKind == JoinKind.LEFT
        ? (collected ? Outputs.ONE : Outputs.AT_LEAST_ONE)
        : (collected ? Outputs.AT_MOST_ONE : Outputs.ANY);
  }

  @Override
  public ReferenceJoin withInputs(List<String> inputs) {
    return new ReferenceJoin(
        id, inputs.getFirst(), with, condition, pairs, shown, joinKind, into, collected);
  }

  /**
   * The number of outputs of a document.
   *
   * @param matches number of items that it matches; an estimate need not be an integer
   */
  public double outputs(double matches) {
    double least = joinKind == JoinKind.LEFT ? 1 : 0;
    return Math.max(least, collected ? Math.min(1, matches) : matches);
  }
}
