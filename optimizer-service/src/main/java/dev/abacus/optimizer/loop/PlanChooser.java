package dev.abacus.optimizer.loop;

import dev.abacus.optimizer.cascades.PlanSearch;
import dev.abacus.optimizer.cascades.SearchOptions;
import dev.abacus.optimizer.cascades.SearchResult;
import dev.abacus.optimizer.cost.ArmStatistics;
import dev.abacus.optimizer.cost.Estimates;
import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Finds the plan that is best by what is known now.
 *
 * <p>While the search goes on an implementation takes part when it has j samples (or as many as
 * there are examples for it); when it is over, also with fewer, if its operator has none that has
 * them all. One that never gave an answer takes no part, however cheap that was.
 */
final class PlanChooser {

  private final SearchOptions options;
  private final int fullSamples;

  PlanChooser(SearchOptions options, int fullSamples) {
    this.options = options;
    this.fullSamples = fullSamples;
  }

  /**
   * The best plan, or null while some operator has no implementation to choose.
   *
   * @param examples by operator id: the number of examples that it can be tried on
   * @param over whether no more samples will come
   */
  @Nullable SearchResult choose(ProgramView view, Map<String, Integer> examples, boolean over) {
    Estimates.Builder estimates = Estimates.builder();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      int enough = Math.min(fullSamples, Math.max(1, examples.getOrDefault(operator.id(), 0)));
      Map<PhysicalOperator, OperatorEstimate> eligible = eligible(view, operator, enough);
      if (eligible.isEmpty() && over) {
        eligible = eligible(view, operator, 1);
      }
      if (eligible.isEmpty()) {
        return null;
      }
      view.learnt()
          .worthwhile(operator, eligible)
          .forEach((arm, estimate) -> estimates.put(operator.id(), arm, estimate));
    }
    Program program = view.program();
    return view.learnt()
        .equip(PlanSearch.search(program, estimates.build(), program.objective(), options));
  }

  /** Implementations with at least so many samples, an answer and a score among them. */
  static Map<PhysicalOperator, OperatorEstimate> eligible(
      ProgramView view, LogicalOperator operator, int samples) {
    Map<PhysicalOperator, OperatorEstimate> eligible = new LinkedHashMap<>();
    answering(view, operator)
        .forEach((arm, known) -> {
          OperatorEstimate estimate = known.estimate();
          if (estimate != null && known.samples() >= samples) {
            eligible.put(arm, estimate);
          }
        });
    return eligible;
  }

  /** Implementations that gave an answer at least once. */
  static Map<PhysicalOperator, ArmStatistics> answering(
      ProgramView view, LogicalOperator operator) {
    Map<PhysicalOperator, ArmStatistics> arms = view.statistics().of(operator.id());
    arms.values().removeIf(arm -> arm.failures() == arm.samples());
    return arms;
  }
}
