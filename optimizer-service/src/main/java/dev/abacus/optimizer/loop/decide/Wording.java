package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.state.DesiredState;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.sampling.Proposal;
import dev.abacus.schemas.control.ControlRecord;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Plain words for users: why a plan was activated, and what a search lacks. */
public final class Wording {

  private Wording() {}

  /** What a plan promises, and which bounds it misses. */
  static String promise(PlanChoice choice, Objective objective) {
    Estimate estimate = choice.estimate();
    String missed =
        objective.bounds().stream()
            .filter(bound -> !bound.holds(estimate.get(bound.dimension())))
            .map(Bound::toString)
            .collect(Collectors.joining(", "));
    String promise =
        String.format(
            Locale.ROOT,
            "quality %.3f, cost $%.6f, latency %.2f s per document",
            estimate.quality(),
            estimate.cost(),
            estimate.latency());
    return missed.isEmpty() ? promise : promise + "; no plan known meets " + missed;
  }

  static String samples(int count) {
    return count + (count == 1 ? " sample" : " samples");
  }

  /** What keeps a search that is over from a plan. */
  public static String stuck(ProgramSnapshot view, Decision search) {
    List<String> problems = new ArrayList<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      if (PlanChooser.eligible(view, operator).isEmpty()) {
        problems.add("operator '%s': %s".formatted(operator.id(), problem(view, search, operator)));
      }
    }
    return String.join("; ", problems);
  }

  private static String problem(ProgramSnapshot view, Decision search, LogicalOperator operator) {
    if (view.arms(operator).isEmpty()) {
      return "the program's models give it no implementation";
    }
    int samples = view.statistics().samples(operator.id());
    List<String> failures = view.failures(operator);
    if (!failures.isEmpty() && failures.size() == samples) {
      return "all of its %s failed, the last with: %s"
          .formatted(samples(samples), failures.getLast());
    }
    if (samples > 0) {
      return "none of its %s could be scored".formatted(samples(samples));
    }
    return search.proposal().conclusions().get(operator.id()) == Proposal.Conclusion.NO_EXAMPLE
        ? "no validation example reaches it"
        : "the budget is spent before its first sample; raise it, or ask for a new round with a"
            + " reoptimize token";
  }

  /** Which plan is in force and why. */
  public static String inForce(DesiredState desired) {
    ControlRecord.Activated active = desired.active();
    if (active == null) {
      return "no plan yet";
    }
    return desired.held()
        ? held(active)
        : "epoch %d: %s".formatted(active.epoch(), active.reason());
  }

  /** Who chose the plan that the optimizer leaves alone. */
  private static String held(ControlRecord.Activated active) {
    return "epoch %d was activated by %s (%s) and stays until the program or objective is set, or a reoptimize token"
        .formatted(active.epoch(), active.by(), active.reason());
  }
}
