package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;

/**
 * Finds the item of a reference that is the same entity as the document mentions. It has exactly
 * one output per document, with the item or null.
 *
 * @param with name of the reference, with one item per entity
 * @param condition a statement about a document and an item that holds if they are the same entity
 * @param reads fields of the document that mention the entity; empty means all fields
 * @param into the field for the item
 */
public record EntityResolution(
    @JsonProperty("resolve") String id,
    String input,
    String with,
    String condition,
    List<String> reads,
    String into)
    implements LogicalOperator {

  /** The condition of a program that states none. */
  public static final String SAME = "The document and the item are about the same entity.";

  public EntityResolution {
    reads = List.copyOf(reads);
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
  public EntityResolution withInputs(List<String> inputs) {
    return new EntityResolution(id, inputs.getFirst(), with, condition, reads, into);
  }
}
