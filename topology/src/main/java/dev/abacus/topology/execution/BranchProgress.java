package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The finished steps of a segment with branches and their outputs, for steps that have not run yet.
 * Of adjacent filters, those that have passed the document; it is the output of all of them.
 *
 * @param finished ids of all finished steps
 * @param outputs by id of the step, for those that an unfinished step reads
 */
public record BranchProgress(Set<String> finished, Map<String, Outputs> outputs) {

  /** No step has finished. */
  public static final BranchProgress NONE = new BranchProgress(Set.of(), Map.of());

  public BranchProgress {
    finished = Set.copyOf(finished);
    outputs = Map.copyOf(outputs);
  }

  /** With another step that has finished. */
  BranchProgress and(String step) {
    Set<String> more = new HashSet<>(finished);
    more.add(step);
    return new BranchProgress(more, outputs);
  }

  /** Whether no step has finished. */
  public boolean isEmpty() {
    return finished.isEmpty();
  }

  /**
   * The outputs of a step.
   *
   * @param latency seconds from the start of the segment until the step ended, along the longest
   *     path
   */
  public record Outputs(List<Row> rows, double latency) {
    public Outputs {
      rows = List.copyOf(rows);
    }
  }

  /**
   * An output of a step.
   *
   * @param choices by id of a one-to-many step upstream: the number of the output that this one
   *     comes from. A join of branches pairs outputs that agree.
   */
  public record Row(Document document, Map<String, Integer> choices) {
    public Row {
      choices = Map.copyOf(choices);
    }

    /** The row with another document. */
    Row with(Document other) {
      return new Row(other, choices);
    }

    /** The row with the document that a one-to-many step made, and its number. */
    Row chosen(String step, int number, Document made) {
      Map<String, Integer> more = new HashMap<>(choices);
      more.put(step, number);
      return new Row(made, more);
    }

    private boolean agreesWith(Row other) {
      return choices.entrySet().stream()
          .allMatch(choice ->
              other
                  .choices
                  .getOrDefault(choice.getKey(), choice.getValue())
                  .equals(choice.getValue()));
    }
  }

  /**
   * Pairs the rows of two branches that come from the same document.
   *
   * @param fields the fields to take from the right row
   */
  static List<Row> joined(List<Row> left, List<Row> right, Set<String> fields) {
    List<Row> joined = new ArrayList<>();
    for (Row one : left) {
      for (Row other : right) {
        if (one.agreesWith(other)) {
          Map<String, Integer> choices = new HashMap<>(one.choices);
          choices.putAll(other.choices);
          List<String> taken =
              other.document.fieldNames().stream().filter(fields::contains).toList();
          joined.add(new Row(one.document.with(other.document.only(taken)), choices));
        }
      }
    }
    return joined;
  }
}
