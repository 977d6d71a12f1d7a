package dev.abacus.schemas.program.io;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.List;

/** Checks that the inputs and references of an operator exist. */
final class OperatorCheck {

  private final List<String> sources;
  private final List<String> references;

  OperatorCheck(List<Source> sources, List<Reference> references) {
    this.sources = sources.stream().map(Source::name).toList();
    this.references = references.stream().map(Reference::name).toList();
  }

  /**
   * Notes every missing input or reference.
   *
   * @param before the preceding operators
   */
  void check(YamlNode node, LogicalOperator operator, List<LogicalOperator> before) {
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
        // Has only its input.
      }
    }
  }

  private static void checkStream(YamlNode node, String key, String name, List<String> streams) {
    if (!streams.contains(name)) {
      entryOrSelf(node, key).note(NameSuggestions.unknown("source or operator", name, streams));
    }
  }

  private void checkReference(YamlNode node, String key, String name) {
    if (sources.contains(name)) {
      entryOrSelf(node, key).note("'%s' is a source; joining it needs 'within'".formatted(name));
    } else if (!references.contains(name)) {
      entryOrSelf(node, key).note(NameSuggestions.unknown("reference", name, references));
    }
  }

  private static YamlNode entryOrSelf(YamlNode node, String key) {
    YamlNode entry = node.optional(key);
    return entry == null ? node : entry;
  }
}
