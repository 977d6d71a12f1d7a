package dev.abacus.schemas.program;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Makes one document of each group of documents in each window (paper, Table 1: γ and α). It leaves
 * when the window closes and holds the fields grouped by, those computed and those that a model
 * wrote.
 *
 * @param by fields whose values make the groups; empty makes one group
 * @param instruction what a model is to write about the group; null for a relational aggregate
 * @param reads fields of the members that the model sees
 * @param writes fields that the model fills; empty if and only if there is no instruction
 * @param compute relational aggregates by output field
 * @param late what becomes of documents that come after their window has closed
 */
public record Aggregate(
    String id,
    String input,
    List<String> by,
    Window window,
    @Nullable String instruction,
    List<String> reads,
    List<Field> writes,
    Map<String, Computation> compute,
    LateDocuments late)
    implements LogicalOperator {

  public Aggregate {
    by = List.copyOf(by);
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    compute = Collections.unmodifiableMap(new LinkedHashMap<>(compute));
    if ((instruction == null) != writes.isEmpty()) {
      throw new IllegalArgumentException(
          "aggregate '" + id + "' needs both 'instruction' and 'writes', or neither");
    }
    if (writes.isEmpty() && compute.isEmpty()) {
      throw new IllegalArgumentException(
          "aggregate '" + id + "' computes nothing; add 'compute', or 'instruction' and 'writes'");
    }
  }

  @Override
  public List<String> writtenFields() {
    List<String> fields = new ArrayList<>(by);
    fields.addAll(compute.keySet());
    writes.forEach(field -> fields.add(field.name()));
    return fields;
  }

  @Override
  public boolean isSemantic() {
    return instruction != null;
  }

  @Override
  public boolean isPerDocument() {
    return false;
  }

  @Override
  public String kind() {
    return "aggregate";
  }

  /** What becomes of a document that comes after its window has closed. */
  public enum LateDocuments {
    DEAD_LETTER,
    /** It is dropped, and counted. */
    DROP;

    /** The word that programs use. */
    public String label() {
      return this == DROP ? "drop" : "dead-letter";
    }
  }
}
