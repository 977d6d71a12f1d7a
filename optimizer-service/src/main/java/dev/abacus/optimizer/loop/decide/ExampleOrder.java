package dev.abacus.optimizer.loop.decide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.BranchFields;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Merge;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The order in which an operator gets the examples that it was not sampled on, by the labels of
 * filters. Examples in the same position keep their order.
 */
record ExampleOrder(LogicalOperator operator, ProgramSnapshot view) {

  private static final int ONE_IN = 4;

  /**
   * Stratified order of the examples of a filter: at least one in four is of the rarer class as
   * long as there are such examples. Otherwise a few samples of a filter that keeps few documents
   * would contain none of them. Estimates are weighted to the share of the labels. Other operators
   * keep the order of the ids.
   */
  List<String> rarerFirst(List<String> ids) {
    if (!operator.decides() || !needsBothClasses()) {
      return ids;
    }
    long kept = ids.stream().filter(id -> Boolean.TRUE.equals(label(id, operator))).count();
    long dropped = ids.stream().filter(id -> Boolean.FALSE.equals(label(id, operator))).count();
    Boolean rare = kept <= dropped;
    Deque<String> rarer = new ArrayDeque<>();
    Deque<String> others = new ArrayDeque<>();
    for (String id : ids) {
      (rare.equals(label(id, operator)) ? rarer : others).add(id);
    }
    if (ONE_IN * rarer.size() >= ids.size()) {
      return ids;
    }
    List<String> ordered = new ArrayList<>();
    while (!rarer.isEmpty() || !others.isEmpty()) {
      boolean due = ordered.size() % ONE_IN == 0 && !rarer.isEmpty();
      ordered.add(due || others.isEmpty() ? rarer.remove() : others.remove());
    }
    return ordered;
  }

  /**
   * Balanced accuracy and recall depend on the share of right decisions within a class. Wrongly
   * kept documents decide precision and F1, and they are found among the more frequent class.
   */
  private boolean needsBothClasses() {
    QualityMetric metric = view.program().validation().metric(operator.id());
    return metric == null || metric instanceof QualityMetric.Recall;
  }

  /**
   * The examples that a filter of the program drops by its label come last. What another operator
   * makes of them reaches no result, and they may be easier or harder than the others. Filters keep
   * the order of the ids.
   */
  List<String> keptFirst(List<String> ids) {
    if (operator.decides()) {
      return ids;
    }
    List<LogicalOperator> filters = filters(view.program().operators());
    List<String> kept = new ArrayList<>();
    List<String> dropped = new ArrayList<>();
    for (String id : ids) {
      boolean drops = filters.stream().anyMatch(filter -> Boolean.FALSE.equals(label(id, filter)));
      (drops ? dropped : kept).add(id);
    }
    kept.addAll(dropped);
    return kept;
  }

  /** Filters above the operator and, if there is a single path to the results, below it. */
  private List<LogicalOperator> filters(List<LogicalOperator> program) {
    boolean branches = program.stream().anyMatch(Merge.class::isInstance);
    return program.stream()
        .filter(SemanticFilter.class::isInstance)
        .filter(filter ->
            BranchFields.upstream(operator.id(), program).contains(filter.id())
                || (!branches
                    && BranchFields.upstream(filter.id(), program).contains(operator.id())))
        .toList();
  }

  /** Whether a filter keeps an example by its label; null without a label. */
  private @Nullable Boolean label(String id, LogicalOperator filter) {
    ValidationExample example = view.example(id);
    JsonNode label = example == null ? null : example.label(filter.id());
    return (label != null && label.isBoolean()) ? Boolean.valueOf(label.booleanValue()) : null;
  }
}
