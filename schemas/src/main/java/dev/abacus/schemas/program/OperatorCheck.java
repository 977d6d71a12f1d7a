package dev.abacus.schemas.program;

import dev.abacus.schemas.parse.Nearest;
import dev.abacus.schemas.parse.StrictNode;
import java.util.ArrayList;
import java.util.List;

/** Checks that what an operator takes its documents and items from is there. */
final class OperatorCheck {

  private final List<String> sources;
  private final List<String> references;

  OperatorCheck(List<Source> sources, List<Reference> references) {
    this.sources = sources.stream().map(Source::name).toList();
    this.references = references.stream().map(Reference::name).toList();
  }

  /**
   * Notes what is wrong.
   *
   * @param before the operators that stand above it
   */
  void check(StrictNode node, LogicalOperator operator, List<LogicalOperator> before) {
    List<String> streams = new ArrayList<>(sources);
    before.forEach(other -> streams.add(other.id()));
    checkStream(node, "input", operator.input(), streams);
    switch (operator) {
      case TopK topK -> checkReference(node, "from", topK.from());
      case ReferenceJoin join -> checkReference(node, "with", join.with());
      case StreamJoin join -> checkStream(node, "with", join.with(), streams);
      case Merge merge when references.contains(merge.with()) ->
          node.note("a join with the reference '%s' needs a 'condition'".formatted(merge.with()));
      case Merge merge when sources.contains(merge.with()) ->
          node.note("a join with the source '%s' needs 'within'".formatted(merge.with()));
      case Merge merge -> checkStream(node, "with", merge.with(), streams);
      default -> {
        // Takes nothing but its input.
      }
    }
  }

  private static void checkStream(StrictNode node, String key, String name, List<String> streams) {
    if (!streams.contains(name)) {
      place(node, key).note(Nearest.unknown("source or operator", name, streams));
    }
  }

  private void checkReference(StrictNode node, String key, String name) {
    if (sources.contains(name)) {
      place(node, key).note("'%s' is a source; joining it needs 'within'".formatted(name));
    } else if (!references.contains(name)) {
      place(node, key).note(Nearest.unknown("reference", name, references));
    }
  }

  private static StrictNode place(StrictNode node, String key) {
    StrictNode entry = node.optional(key);
    return entry == null ? node : entry;
  }
}
