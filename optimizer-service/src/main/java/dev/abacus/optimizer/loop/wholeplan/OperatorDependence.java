package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Which operators of a program may depend on each other: the quality of an operator that reads the
 * output of a model depends on that output.
 *
 * @param source the source whose examples are run through whole plans; empty if there is none
 * @param walkable ids of the operators that a single document reaches
 * @param writers ids of the semantic operators whose output another one reads
 */
public record OperatorDependence(String source, Set<String> walkable, Set<String> writers) {

  private static final Comparator<OperatorDependence> ORDER =
      Comparator.comparingInt((OperatorDependence one) -> one.writers.size())
          .thenComparingInt(one -> one.walkable.size());

  public OperatorDependence {
    walkable = Collections.unmodifiableSet(new LinkedHashSet<>(walkable));
    writers = Collections.unmodifiableSet(new LinkedHashSet<>(writers));
  }

  /** The source with the most writers, then with the most operators that a document reaches. */
  public static OperatorDependence of(Program program) {
    OperatorDependence most = new OperatorDependence("", Set.of(), Set.of());
    for (var source : program.sources()) {
      Set<String> walkable = walkable(program, source.name());
      OperatorDependence candidate =
          new OperatorDependence(source.name(), walkable, writers(program, walkable));
      most = ORDER.compare(candidate, most) > 0 ? candidate : most;
    }
    return most;
  }

  /** Whether whole plans may differ from the product of their operators. */
  public boolean exists() {
    return !writers.isEmpty();
  }

  private static Set<String> walkable(Program program, String source) {
    Set<String> reached = new LinkedHashSet<>(Set.of(source));
    for (LogicalOperator operator : program.operators()) {
      boolean alone = operator.isPerDocument() || operator instanceof Limit;
      if (alone && reached.containsAll(operator.inputs())) {
        reached.add(operator.id());
      }
    }
    reached.remove(source);
    return reached;
  }

  private static Set<String> writers(Program program, Set<String> walkable) {
    Set<String> writers = new LinkedHashSet<>();
    for (LogicalOperator reader : program.semanticOperators()) {
      if (!walkable.contains(reader.id())) {
        continue;
      }
      Set<String> upstream = new HashSet<>(BranchFields.upstream(reader.id(), program.operators()));
      upstream.remove(reader.id());
      for (LogicalOperator writer : program.semanticOperators()) {
        if (upstream.contains(writer.id())
            && walkable.contains(writer.id())
            && isRead(writer, reader)) {
          writers.add(writer.id());
        }
      }
    }
    return writers;
  }

  /**
   * The operators that decide on which input a step of a plan runs: the filters before it, and
   * those whose output it reads, directly or through others. Contains the step itself.
   */
  static Set<String> deciding(List<LogicalOperator> steps, LogicalOperator step) {
    Set<String> deciding = new LinkedHashSet<>(Set.of(step.id()));
    List<LogicalOperator> readers = new ArrayList<>(List.of(step));
    for (LogicalOperator before : steps.subList(0, steps.indexOf(step)).reversed()) {
      if (before instanceof SemanticFilter
          || readers.stream().anyMatch(reader -> isRead(before, reader))) {
        deciding.add(before.id());
        readers.add(before);
      }
    }
    return deciding;
  }

  private static boolean isRead(LogicalOperator writer, LogicalOperator reader) {
    return !writer.writtenFields().isEmpty()
        && (reader.reads().isEmpty()
            || !Collections.disjoint(reader.reads(), writer.writtenFields()));
  }
}
