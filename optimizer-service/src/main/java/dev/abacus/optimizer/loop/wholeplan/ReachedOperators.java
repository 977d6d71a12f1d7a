package dev.abacus.optimizer.loop.wholeplan;

import dev.abacus.schemas.program.Limit;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The operators that a single document of a source reaches, so that its examples can be run through
 * whole plans.
 *
 * @param source name of the source; empty if there is none
 * @param ids ids of the operators, in order of the program
 */
public record ReachedOperators(String source, Set<String> ids) {

  /** Those of the source whose documents reach the most semantic operators. */
  public static ReachedOperators of(Program program) {
    ReachedOperators most = new ReachedOperators("", Set.of());
    for (var source : program.sources()) {
      ReachedOperators reached = from(program, source.name());
      most = reached.semantic(program).size() > most.semantic(program).size() ? reached : most;
    }
    return most;
  }

  private static ReachedOperators from(Program program, String source) {
    Set<String> reached = new LinkedHashSet<>(Set.of(source));
    for (LogicalOperator operator : program.operators()) {
      boolean alone = operator.isPerDocument() || operator instanceof Limit;
      if (alone && reached.containsAll(operator.inputs())) {
        reached.add(operator.id());
      }
    }
    reached.remove(source);
    return new ReachedOperators(source, reached);
  }

  /** The semantic operators among them. */
  public List<LogicalOperator> semantic(Program program) {
    return program.semanticOperators().stream()
        .filter(operator -> ids.contains(operator.id()))
        .toList();
  }

  /**
   * The operators that decide on which input a step of a plan runs: the filters before it, and
   * those whose output it reads, directly or through others. Contains the step itself.
   */
  static Set<String> deciding(List<LogicalOperator> steps, LogicalOperator step) {
    Set<String> deciding = new LinkedHashSet<>(Set.of(step.id()));
    List<LogicalOperator> readers = new ArrayList<>(List.of(step));
    for (LogicalOperator before : steps.subList(0, steps.indexOf(step)).reversed()) {
      if (before.decides() || readers.stream().anyMatch(reader -> isRead(before, reader))) {
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
