package dev.abacus.optimizer.loop.decide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.List;

/**
 * Order of the examples of an operator in a program with filters: those that a filter drops by its
 * label come last. What the operator makes of them reaches no result, and they may be easier or
 * harder than the others.
 */
final class KeptFirst {

  private KeptFirst() {}

  /** Orders ids; does not change the order of kept and unlabelled examples, or of dropped ones. */
  static List<String> of(List<String> ids, LogicalOperator operator, ProgramSnapshot view) {
    if (operator.decides()) {
      return ids;
    }
    List<SemanticFilter> filters = filters(operator, view.program().operators());
    List<String> kept = new ArrayList<>();
    List<String> dropped = new ArrayList<>();
    for (String id : ids) {
      ValidationExample example = view.example(id);
      boolean drops =
          example != null && filters.stream().anyMatch(filter -> drops(filter, example));
      (drops ? dropped : kept).add(id);
    }
    kept.addAll(dropped);
    return kept;
  }

  /** Filters above the operator and, if there is a single path to the results, below it. */
  private static List<SemanticFilter> filters(
      LogicalOperator operator, List<LogicalOperator> program) {
    boolean branches = program.stream().anyMatch(Merge.class::isInstance);
    return program.stream()
        .filter(SemanticFilter.class::isInstance)
        .map(SemanticFilter.class::cast)
        .filter(filter ->
            BranchFields.upstream(operator.id(), program).contains(filter.id())
                || (!branches
                    && BranchFields.upstream(filter.id(), program).contains(operator.id())))
        .toList();
  }

  private static boolean drops(SemanticFilter filter, ValidationExample example) {
    JsonNode label = example.label(filter.id());
    return label != null && label.isBoolean() && !label.booleanValue();
  }
}
