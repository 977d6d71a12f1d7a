package dev.abacus.optimizer.loop.wholeplan;

import com.fasterxml.jackson.databind.JsonNode;
import dev.abacus.optimizer.loop.state.FilterParts;
import dev.abacus.optimizer.loop.state.ProgramView;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.ArmStatistics;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.plan.PlanStep;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One validation example on its way through a whole plan: once as it really went, every step fed by
 * the plan's own steps before it, and once as the cost model sees it, with the sample of each step
 * taken on its own. What the two differ by is the dependence between operators.
 *
 * <p>A step that was not sampled on the example counts with its means. So do steps behind a filter
 * that drops the example, and those that need several documents. The parts of a filter that was
 * taken apart are scored as one, by the label of the whole filter: what they decide together. The
 * cost model's side of them is a sample of the whole that asked condition by condition.
 */
public final class PlanWalk {

  private final ProgramView view;
  private final Set<String> walkable;
  private final Map<String, Map<Arm, Belief>> beliefs;

  /**
   * @param walkable ids of the program's operators that an example can be carried to by itself
   * @param beliefs of all implementations, by operator: what steps count with that were not sampled
   */
  PlanWalk(ProgramView view, Set<String> walkable, Map<String, Map<Arm, Belief>> beliefs) {
    this.view = view;
    this.walkable = walkable;
    this.beliefs = beliefs;
  }

  /**
   * What a walk came to.
   *
   * @param quality product of the scores
   * @param cost USD
   * @param latency seconds
   * @param missing the sample that it stopped for; null if it came to the end
   * @param waiting whether it stopped for a sample that is under way
   */
  record Result(
      double quality, double cost, double latency, @Nullable Missing missing, boolean waiting) {

    boolean complete() {
      return missing == null && !waiting;
    }
  }

  /** A sample that is still to be drawn. */
  public record Missing(LogicalOperator operator, PhysicalOperator physical, Document input) {}

  /** As it really goes. */
  Result actual(PlanChoice plan, ValidationExample example) {
    Walk walk = new Walk(example);
    Document document = example.document();
    for (PlanStep step : plan.steps()) {
      LogicalOperator operator = step.logical();
      if (!isWalkable(operator) || walk.reach == 0) {
        walk.expect(step);
      } else if (operator instanceof Project project) {
        document = document.only(project.fields());
      } else if (operator.isSemantic()) {
        Sample sample = view.sampleOn(operator, step.physical(), example.id(), document);
        switch (sample) {
          case null -> {
            return walk.stop(new Missing(operator, step.physical(), document), false);
          }
          case Sample.Outstanding _ -> {
            return walk.stop(null, true);
          }
          case Sample.Lost _ -> walk.expect(step);
          case Sample.Observed(Observation observation) -> {
            walk.take(step, observation);
            document = after(operator, observation, document);
          }
        }
      }
    }
    return walk.stop(null, false);
  }

  private static Document after(
      LogicalOperator operator, Observation observation, Document document) {
    return operator instanceof SemanticFilter || observation.outputs().isEmpty()
        ? document
        : document.with(observation.outputs().getFirst());
  }

  private boolean isWalkable(LogicalOperator operator) {
    return walkable.containsAll(DerivedIds.origins(operator.id()));
  }

  /** As the cost model sees it. */
  Result expected(PlanChoice plan, ValidationExample example) {
    Walk walk = new Walk(example);
    for (PlanStep step : plan.steps()) {
      LogicalOperator operator = step.logical();
      if (!operator.isSemantic()) {
        continue;
      }
      boolean alone = isWalkable(operator) && walk.reach > 0;
      SemanticFilter whole = FilterParts.whole(view.program(), operator);
      if (!alone) {
        walk.expect(step);
      } else if (whole != null) {
        walk.suppose(
            step, FilterParts.seen(view, whole, operator, step.physical().id(), example.id()));
      } else if (view.samples(operator)
              .getOrDefault(step.physical().id(), Map.of())
              .get(example.id())
          instanceof Sample.Observed(Observation observation)) {
        walk.take(step, observation);
      } else {
        walk.expect(step);
      }
    }
    return walk.stop(null, false);
  }

  private final class Walk {

    private final ValidationExample example;
    private double quality = 1;
    private double cost;
    private double latency;

    /** Documents that the example has become. */
    private double reach = 1;

    /** How many conditions of a filter that was taken apart have held. */
    private final Map<String, Integer> held = new HashMap<>();

    /** Filters that were taken apart and have been scored as a whole. */
    private final Set<String> scored = new HashSet<>();

    Walk(ValidationExample example) {
      this.example = example;
    }

    void take(PlanStep step, Observation observation) {
      SemanticFilter whole = FilterParts.whole(view.program(), step.logical());
      JsonNode label = whole == null ? null : example.label(whole.id());
      if (whole == null || label == null || !label.isBoolean()) {
        Double score = observation.quality();
        quality *= score == null ? estimate(step).quality() : score;
      } else {
        score(whole, observation.outcome(), label.booleanValue());
      }
      cost += reach * observation.cost();
      latency += observation.latency();
      reach *= observation.outputs().size();
    }

    /** The parts of a filter decide together: right, if that is what the label of all says. */
    private void score(SemanticFilter whole, Outcome outcome, boolean label) {
      boolean kept = outcome == Outcome.KEPT;
      boolean last = kept && held.merge(whole.id(), 1, Integer::sum) == whole.conditions().size();
      if (!kept || last) {
        scored.add(whole.id());
        quality *= outcome != Outcome.FAILED && kept == label ? 1 : 0;
      }
    }

    /** What a sample of the whole filter says of its part. */
    void suppose(PlanStep step, FilterParts.@Nullable Seen seen) {
      if (seen == null) {
        expect(step);
        return;
      }
      Double score = seen.quality();
      quality *= score == null ? estimate(step).quality() : score;
      cost += reach * seen.condition().cost();
      latency += seen.condition().latency();
      reach *= seen.condition().holds() ? 1 : 0;
    }

    void expect(PlanStep step) {
      if (step.logical().isSemantic()) {
        OperatorEstimate estimate = estimate(step);
        boolean known = scored.containsAll(DerivedIds.origins(step.logical().id()));
        quality *= known ? 1 : estimate.quality();
        cost += reach * estimate.cost();
        latency += estimate.latency();
        reach *= estimate.selectivity();
      }
    }

    Result stop(@Nullable Missing missing, boolean waiting) {
      return new Result(quality, cost, latency, missing, waiting);
    }
  }

  private OperatorEstimate estimate(PlanStep step) {
    ArmStatistics known = view.statistics().find(step.logical().id(), step.physical());
    OperatorEstimate mean = known == null ? null : known.estimate();
    if (mean != null) {
      return mean;
    }
    Belief belief =
        beliefs.getOrDefault(step.logical().id(), Map.of()).get(Arm.named(step.physical().id()));
    return belief == null ? OperatorEstimate.RELATIONAL : belief.mean();
  }
}
