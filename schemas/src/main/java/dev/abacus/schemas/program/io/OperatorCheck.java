package dev.abacus.schemas.program.io;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.EntityResolution;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.schemas.program.StreamJoin;
import dev.abacus.schemas.program.TopK;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Checks that the inputs and references of an operator exist. */
final class OperatorCheck {

  private final List<String> sources;
  private final List<String> references;
  private final Map<String, String> keys;

  OperatorCheck(List<Source> sources, List<Reference> references) {
    this.sources = sources.stream().map(Source::name).toList();
    this.references = references.stream().map(Reference::name).toList();
    this.keys =
        references.stream()
            .collect(Collectors.toMap(Reference::name, Reference::key, (first, _) -> first));
  }

  /**
   * The operator with the default that depends on preceding operators: the key of a rank's items is
   * that of the reference from which the items come.
   */
  LogicalOperator complete(YamlNode node, LogicalOperator operator, List<LogicalOperator> before) {
    if (!(operator instanceof SemanticRank rank) || node.optional("key") != null) {
      return operator;
    }
    String key =
        switch (writer(rank, before)) {
          case TopK topK -> keys.get(topK.from());
          case ReferenceJoin join -> keys.get(join.with());
          case SemanticRank other -> other.key();
          case null, default -> null;
        };
    return key == null ? rank : rank.withKey(key);
  }

  /** The operator that writes the items of a rank; null if they come from a source. */
  private static @Nullable LogicalOperator writer(SemanticRank rank, List<LogicalOperator> before) {
    Set<String> upstream = BranchFields.upstream(rank.input(), before);
    LogicalOperator last = null;
    for (LogicalOperator operator : before) {
      boolean writes = operator.writtenFields().contains(rank.items());
      last = writes && upstream.contains(operator.id()) ? operator : last;
    }
    return last;
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
      case SemanticRank rank -> checkList(node, rank, writer(rank, before));
      case EntityResolution resolution -> checkReference(node, "with", resolution.with());
      case ReferenceJoin join -> checkReference(node, "with", join.with());
      case StreamJoin join -> checkStream(node, "with", join.with(), streams);
      case Merge merge when references.contains(merge.with()) ->
          node.note("a join with the reference '%s' needs a 'condition'".formatted(merge.with()));
      case Merge merge when sources.contains(merge.with()) ->
          node.note("a join with the source '%s' needs 'within'".formatted(merge.with()));
      case Merge merge -> checkStream(node, "with", merge.with(), streams);
      case SemanticMap _, SemanticFilter _, Project _, Aggregate _, Limit _ -> {
        // Has only its input.
      }
    }
  }

  private static void checkList(
      YamlNode node, SemanticRank rank, @Nullable LogicalOperator writer) {
    boolean list =
        switch (writer) {
          case SemanticMap map ->
              map.writes().stream()
                  .filter(field -> field.name().equals(rank.items()))
                  .allMatch(field -> field.type() instanceof FieldType.ListType);
          case ReferenceJoin join -> join.collected();
          case StreamJoin _ -> false;
          case null, default -> true;
        };
    if (writer != null && !list) {
      entryOrSelf(node, "items")
          .note("'%s' of '%s' is not a list".formatted(rank.items(), writer.id()));
    }
  }

  private static void checkStream(YamlNode node, String key, String name, List<String> streams) {
    if (!streams.contains(name)) {
      entryOrSelf(node, key)
          .note(NameSuggestions.unknown("source or earlier operator", name, streams));
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
