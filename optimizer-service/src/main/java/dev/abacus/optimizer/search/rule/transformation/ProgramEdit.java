package dev.abacus.optimizer.search.rule.transformation;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Stages;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Reads and changes the connections of a program. */
final class ProgramEdit {

  private final Program program;
  private final Map<String, LogicalOperator> operators = new LinkedHashMap<>();

  ProgramEdit(Program program) {
    this.program = program;
    program.operators().forEach(operator -> operators.put(operator.id(), operator));
  }

  /**
   * The first operator below {@code operator} that fulfils a condition, if the operator can be
   * exchanged with all operators between. They must have no other reader.
   */
  @Nullable LogicalOperator below(LogicalOperator operator, Predicate<LogicalOperator> condition) {
    LogicalOperator at = operators.get(operator.input());
    while (at != null && !condition.test(at)) {
      boolean passes =
          at.isPerDocument()
              && !(at instanceof Merge)
              && readers(at.id()).size() == 1
              && TransformationRules.mayExchange(operator, at);
      at = passes ? operators.get(at.input()) : null;
    }
    return at != null && readers(at.id()).size() == 1 ? at : null;
  }

  /** The operators that read a node. */
  List<LogicalOperator> readers(String node) {
    return operators.values().stream()
        .filter(operator -> operator.inputs().contains(node))
        .toList();
  }

  /** Takes an operator out; its readers read its input. */
  ProgramEdit remove(LogicalOperator operator) {
    operators.remove(operator.id());
    readers(operator.id()).forEach(reader -> replace(reader, operator.id(), operator.input()));
    return this;
  }

  /** Puts an operator between a node and its readers. */
  ProgramEdit insert(LogicalOperator operator, String node) {
    readers(node).forEach(reader -> replace(reader, node, operator.id()));
    operators.put(operator.id(), operator.withInputs(List.of(node)));
    return this;
  }

  /** Puts an operator between a node and one input of a reader. */
  ProgramEdit insert(LogicalOperator operator, String reader, int side) {
    LogicalOperator known = operators.get(reader);
    if (known != null) {
      List<String> inputs = new ArrayList<>(known.inputs());
      String node = inputs.set(side, operator.id());
      operators.put(reader, known.withInputs(inputs));
      operators.put(operator.id(), operator.withInputs(List.of(node)));
    }
    return this;
  }

  private void replace(LogicalOperator reader, String from, String to) {
    List<String> inputs = new ArrayList<>(reader.inputs());
    inputs.replaceAll(input -> input.equals(from) ? to : input);
    operators.put(reader.id(), reader.withInputs(inputs));
  }

  /** The changed program; each operator stands after its inputs, the last one emits results. */
  Program build() {
    List<String> order = program.operators().stream().map(LogicalOperator::id).toList();
    List<LogicalOperator> written = new ArrayList<>(operators.values());
    written.sort(Comparator.comparingInt(operator -> order.indexOf(operator.id())));
    return program.withOperators(Stages.ordered(written));
  }
}
