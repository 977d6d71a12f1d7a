package dev.abacus.deploy.job;

import dev.abacus.schemas.program.Aggregate;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.io.NameSuggestions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Fields that operators read and that neither a document has nor an operator before them writes: a
 * model would be asked about nothing.
 */
public final class MissingFields {

  private MissingFields() {}

  /**
   * A field that is missing.
   *
   * @param nearest the name that exists and resembles it, or all names that exist
   */
  public record Missing(LogicalOperator operator, String field, String nearest) {

    /**
     * Whether the operator only passes fields on, so that the field may come with later documents.
     */
    public boolean isOptional() {
      return operator instanceof Project;
    }

    @Override
    public String toString() {
      return "no document has the field '%s', which '%s' reads; %s"
          .formatted(field, operator.id(), nearest);
    }
  }

  /**
   * Finds the missing fields.
   *
   * @param documents by source; an operator is checked if documents of all its sources are known
   */
  public static List<Missing> of(Program program, Map<String, List<InputDocument>> documents) {
    Map<String, Set<String>> fieldsBySource = new HashMap<>();
    documents.forEach((source, given) ->
        given.forEach(one ->
            fieldsBySource
                .computeIfAbsent(source, _ -> new TreeSet<>())
                .addAll(one.document().fieldNames())));
    List<Missing> missing = new ArrayList<>();
    for (LogicalOperator operator : program.operators()) {
      Set<String> upstream = upstream(operator, program);
      Set<String> sources = new LinkedHashSet<>(upstream);
      sources.removeIf(
          name -> program.sources().stream().noneMatch(one -> one.name().equals(name)));
      if (fieldsBySource.keySet().containsAll(sources)) {
        Set<String> known = new TreeSet<>();
        sources.forEach(source -> known.addAll(fieldsBySource.get(source)));
        program.operators().stream()
            .filter(other -> upstream.contains(other.id()))
            .forEach(other -> known.addAll(other.writtenFields()));
        missing.addAll(of(operator, known));
      }
    }
    return missing;
  }

  private static Set<String> upstream(LogicalOperator operator, Program program) {
    Set<String> upstream = new LinkedHashSet<>();
    operator
        .inputs()
        .forEach(input -> upstream.addAll(BranchFields.upstream(input, program.operators())));
    return upstream;
  }

  private static List<Missing> of(LogicalOperator operator, Set<String> known) {
    Set<String> read = new LinkedHashSet<>(operator.reads());
    if (operator instanceof Aggregate aggregate) {
      read.addAll(aggregate.by());
    }
    read.removeAll(known);
    return read.stream()
        .map(field -> {
          String nearest = NameSuggestions.closest(field, known);
          return new Missing(
              operator,
              field,
              nearest == null
                  ? "there are " + String.join(", ", known)
                  : "did you mean '" + nearest + "'?");
        })
        .toList();
  }
}
