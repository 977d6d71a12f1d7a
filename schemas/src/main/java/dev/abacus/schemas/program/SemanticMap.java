package dev.abacus.schemas.program;

import java.util.List;

/**
 * Adds fields to a document as an instruction in natural language says (paper, Table 1: μ).
 *
 * @param instruction what to do, in the words the model is told
 * @param writes fields that it fills; at least one
 * @param cardinality whether it makes one output of a document or any number
 */
public record SemanticMap(
    String id,
    String input,
    String instruction,
    List<String> reads,
    List<Field> writes,
    Cardinality cardinality)
    implements LogicalOperator {

  public SemanticMap {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    if (writes.isEmpty()) {
      throw new IllegalArgumentException("map '" + id + "' writes no field");
    }
  }

  /** A map that makes exactly one output of a document. */
  public SemanticMap(
      String id, String input, String instruction, List<String> reads, List<Field> writes) {
    this(id, input, instruction, reads, writes, Cardinality.ONE);
  }

  @Override
  public List<String> writtenFields() {
    return writes.stream().map(Field::name).toList();
  }

  @Override
  public boolean isSemantic() {
    return true;
  }

  @Override
  public String kind() {
    return "map";
  }

  /** How many outputs a map makes of one document. */
  public enum Cardinality {
    /** Exactly one: the document with the written fields added. */
    ONE,
    /** Any number, none among them: a copy of the document for each. */
    MANY;

    /** The word that programs use. */
    public String label() {
      return this == ONE ? "one" : "many";
    }
  }
}
