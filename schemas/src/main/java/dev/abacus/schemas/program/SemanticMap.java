package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.abacus.schemas.input.Keyword;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * Adds fields to a document by an instruction in natural language (paper, Table 1: μ).
 *
 * @param instruction what the model does, in natural language
 * @param writes fields that it writes; at least one
 * @param cardinality number of outputs per document
 */
@RecordBuilder
public record SemanticMap(
    @JsonProperty("map") String id,
    String input,
    String instruction,
    List<String> reads,
    @JsonSerialize(converter = Field.ByName.class) List<Field> writes,
    Cardinality cardinality)
    implements LogicalOperator, SemanticMapBuilder.With {

  public SemanticMap {
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    if (writes.isEmpty()) {
      throw new IllegalArgumentException("map '" + id + "' writes no field");
    }
  }

  /** A map with exactly one output per document. */
  public SemanticMap(
      String id, String input, String instruction, List<String> reads, List<Field> writes) {
    this(id, input, instruction, reads, writes, Cardinality.ONE);
  }

  @Override
  public List<String> writtenFields() {
    return writes.stream().map(Field::name).toList();
  }

  @Override
  public Outputs outputs() {
    return cardinality == Cardinality.ONE ? Outputs.ONE : Outputs.ANY;
  }

  @Override
  public SemanticMap withInputs(List<String> inputs) {
    return withInput(inputs.getFirst());
  }

  @Override
  public SemanticMap withOrder(List<String> fields) {
    return withReads(fields);
  }

  /** Number of outputs of a map per document. */
  public enum Cardinality implements Keyword {
    /** Exactly one: the document with the written fields added. */
    ONE,
    /** Zero or more: a copy of the document for each. */
    MANY
  }
}
