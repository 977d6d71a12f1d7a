package dev.abacus.schemas.program;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import dev.abacus.schemas.input.Keyword;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Aggregates each group of documents in each window into one document (paper, Table 1: γ and α).
 * The document is emitted when the window closes. It has the grouping fields, the computed fields
 * and the fields that a model writes.
 *
 * @param by grouping fields; empty means one group
 * @param instruction what a model writes about the group; null for a relational aggregate
 * @param reads fields of the members that the model sees
 * @param writes fields that the model writes; empty if and only if {@code instruction} is null
 * @param compute relational aggregates by output field
 * @param late what happens to documents that arrive after their window has closed
 * @param fanout expected number of groups per document, in (0, 1]; null if unknown
 */
@RecordBuilder
public record Aggregate(
    @JsonProperty("aggregate") String id,
    String input,
    List<String> by,
    Window window,
    @Nullable String instruction,
    List<String> reads,
    @JsonSerialize(converter = Field.ByName.class) List<Field> writes,
    Map<String, Computation> compute,
    LateDocuments late,
    @Nullable Double fanout)
    implements LogicalOperator, AggregateBuilder.With {

  /** The field with the list of the documents of the group, which a model reads. */
  public static final String MEMBERS = "members";

  public Aggregate {
    by = List.copyOf(by);
    reads = List.copyOf(reads);
    writes = List.copyOf(writes);
    compute = Collections.unmodifiableMap(new LinkedHashMap<>(compute));
    if (window instanceof Window.Hopping) {
      Fanout.requirePositive(fanout, id);
    } else {
      Fanout.requireAtMostOne(fanout, id);
    }
    if ((instruction == null) != writes.isEmpty()) {
      throw new IllegalArgumentException(
          "aggregate '" + id + "' needs both 'instruction' and 'writes', or neither");
    }
    if (writes.isEmpty() && compute.isEmpty()) {
      throw new IllegalArgumentException(
          "aggregate '" + id + "' computes nothing; add 'compute', or 'instruction' and 'writes'");
    }
    if (instruction != null && (by.contains(MEMBERS) || compute.containsKey(MEMBERS))) {
      throw new IllegalArgumentException(
          "the model of aggregate '%s' sees the documents of a group as '%s'; no field of 'by' or 'compute' can have this name"
              .formatted(id, MEMBERS));
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
  public Aggregate withInputs(List<String> inputs) {
    return withInput(inputs.getFirst());
  }

  /** What happens to a document that arrives after its window has closed. */
  public enum LateDocuments implements Keyword {
    /** Sends it to the dead letter topic. */
    DEAD_LETTER,
    /** Drops and counts it. */
    DROP
  }
}
