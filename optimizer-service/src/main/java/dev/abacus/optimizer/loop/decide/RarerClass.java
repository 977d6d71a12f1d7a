package dev.abacus.optimizer.loop.decide;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.QualityMetric;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Stratified order of the examples of a filter: at least one in four is of the rarer class as long
 * as there are such examples. Otherwise a few samples of a filter that keeps few documents would
 * contain none of them. Estimates are weighted to the share of the labels.
 */
final class RarerClass {

  private static final int ONE_IN = 4;

  private RarerClass() {}

  /** Orders ids; does not change the order within a class, or of examples without a label. */
  static List<String> first(List<String> ids, LogicalOperator operator, ProgramSnapshot view) {
    if (!operator.decides() || !needsBothClasses(operator, view)) {
      return ids;
    }
    long kept = ids.stream().filter(id -> Boolean.TRUE.equals(label(id, operator, view))).count();
    long dropped =
        ids.stream().filter(id -> Boolean.FALSE.equals(label(id, operator, view))).count();
    Boolean rare = kept <= dropped;
    Deque<String> rarer = new ArrayDeque<>();
    Deque<String> others = new ArrayDeque<>();
    for (String id : ids) {
      (rare.equals(label(id, operator, view)) ? rarer : others).add(id);
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
  private static boolean needsBothClasses(LogicalOperator operator, ProgramSnapshot view) {
    QualityMetric metric = view.program().validation().metric(operator.id());
    return metric == null || metric instanceof QualityMetric.Recall;
  }

  private static @Nullable Boolean label(
      String id, LogicalOperator operator, ProgramSnapshot view) {
    ValidationExample example = view.example(id);
    JsonNode label = example == null ? null : example.label(operator.id());
    return (label != null && label.isBoolean()) ? Boolean.valueOf(label.booleanValue()) : null;
  }
}
