package dev.abacus.optimizer.loop.state;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.optimizer.search.cost.Belief;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.rule.transformation.DecomposeFilter;
import dev.abacus.optimizer.search.rule.transformation.Rewrites;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.ConditionByCondition;
import dev.abacus.schemas.program.DerivedIds;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticFilter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the parts of a conjunctive filter would do as filters of their own. No part is sampled by
 * itself: a sample that asks condition by condition measures each of them, with the prompts that
 * the parts would have.
 *
 * <p>The share of a condition that holds is that among the documents for which those before it
 * hold, and one success and one failure are added to what was seen, so that a few samples do not
 * make a condition that never or always holds. Quality is known of the whole filter only; each part
 * gets the same share of it, so that the product of the parts is what was measured. A filter that
 * may be pinned, since there is no choice for it, stays whole.
 *
 * <p>How sure that is: what a part costs and takes is as sure as the answers to its condition
 * scatter. The qualities of n parts are one number, not n, so each is given the whole's relative
 * deviation divided by √n: together, in squares, they are as unsure as the whole.
 */
public final class FilterParts {

  /** Answers to a condition that are needed to say anything of it. */
  private static final int FEWEST = 3;

  private FilterParts() {}

  /**
   * A filter and what it can be taken apart into.
   *
   * @param parts one per condition, in their order
   */
  public record Split(SemanticFilter whole, List<LogicalOperator> parts) {
    public Split {
      parts = List.copyOf(parts);
    }
  }

  /** The filters of a program that can be taken apart. */
  public static List<Split> of(Program program) {
    List<Split> splits = new ArrayList<>();
    for (Rewrites.Site site : Rewrites.sites(program)) {
      if (site.rule() instanceof DecomposeFilter
          && site.replaced(program).getFirst() instanceof SemanticFilter filter) {
        splits.add(new Split(filter, site.instead()));
      }
    }
    return splits;
  }

  /** The filter that an operator is a part of; null if it is none. */
  public static @Nullable SemanticFilter whole(Program program, LogicalOperator operator) {
    List<String> origins = DerivedIds.origins(operator.id());
    boolean part = origins.size() == 1 && !origins.getFirst().equals(operator.id());
    return part && program.operator(origins.getFirst()) instanceof SemanticFilter filter
        ? filter
        : null;
  }

  /** What is known of a part's right decision: every condition holds where all of them do. */
  public static @Nullable JsonNode label(SemanticFilter whole, ValidationExample example) {
    JsonNode label = example.label(whole.id());
    return BooleanNode.TRUE.equals(label) ? label : null;
  }

  /**
   * Beliefs of the parts by id.
   *
   * @param known those of the program's operators
   */
  public static Map<String, Map<Arm, Belief>> beliefs(
      ProgramView view, Map<String, Map<Arm, Belief>> known) {
    Map<String, Map<Arm, Belief>> beliefs = new LinkedHashMap<>();
    for (Split split : of(view.program())) {
      List<PhysicalOperator> arms = view.arms(split.whole());
      for (PhysicalOperator arm : arms) {
        Belief whole = known.getOrDefault(split.whole().id(), Map.of()).get(Arm.named(arm.id()));
        if (arms.size() > 1 && arm instanceof ConditionByCondition && whole != null) {
          for (int i = 0; i < split.parts().size(); i++) {
            Belief part = belief(split, asked(view, split.whole(), arm, i), whole);
            if (part != null) {
              beliefs
                  .computeIfAbsent(split.parts().get(i).id(), _ -> new TreeMap<>())
                  .put(Arm.named(arm.id()), part);
            }
          }
        }
      }
    }
    return beliefs;
  }

  /** The answers to a condition, in order of the examples. */
  private static List<Evidence.Condition> asked(
      ProgramView view, SemanticFilter whole, PhysicalOperator arm, int index) {
    return new TreeMap<>(view.samples(whole).getOrDefault(arm.id(), Map.of()))
        .values().stream()
            .map(sample -> condition(sample, index))
            .filter(condition -> condition != null)
            .toList();
  }

  private static Evidence.@Nullable Condition condition(@Nullable Sample sample, int index) {
    return sample instanceof Sample.Observed(var seen)
            && seen.evidence() instanceof Evidence.Conditions(List<Evidence.Condition> all)
            && index < all.size()
        ? all.get(index)
        : null;
  }

  private static @Nullable Belief belief(
      Split split, List<Evidence.Condition> asked, Belief whole) {
    int n = asked.size();
    if (n < FEWEST) {
      return null;
    }
    double parts = split.parts().size();
    double quality = Math.pow(whole.mean().quality(), 1 / parts);
    double relative =
        whole.mean().quality() > 0 ? whole.qualityDeviation() / whole.mean().quality() : 0;
    long held = asked.stream().filter(Evidence.Condition::holds).count();
    Spread cost = Spread.of(asked, Evidence.Condition::cost);
    Spread latency = Spread.of(asked, Evidence.Condition::latency);
    return new Belief(
        new OperatorEstimate(quality, cost.mean(), latency.mean(), (held + 1.0) / (n + 2.0)),
        n,
        quality * relative / Math.sqrt(parts),
        cost.relative(),
        latency.relative());
  }

  /**
   * A mean and its relative error.
   *
   * @param relative so that 1.96 of it make Student's 95 % interval
   */
  private record Spread(double mean, double relative) {

    public static Spread of(
        List<Evidence.Condition> asked, ToDoubleFunction<Evidence.Condition> value) {
      double mean = asked.stream().mapToDouble(value).average().orElse(0);
      double squares =
          asked.stream().mapToDouble(one -> Math.pow(value.applyAsDouble(one) - mean, 2)).sum();
      return new Spread(mean, mean > 0 ? Sureness.deviation(asked.size(), squares) / mean : 0);
    }
  }

  /**
   * What a sample of the whole says of one of its parts on an example.
   *
   * @param quality the part's share of the whole's score; null if there is none
   */
  public record Seen(@Nullable Double quality, Evidence.Condition condition) {}

  /** Null if the condition was not asked on the example. */
  public static @Nullable Seen seen(
      ProgramView view, SemanticFilter whole, LogicalOperator part, String arm, String exampleId) {
    int index = Integer.parseInt(part.id().substring(whole.id().length() + 1)) - 1;
    Sample sample = view.samples(whole).getOrDefault(arm, Map.of()).get(exampleId);
    Evidence.Condition condition = condition(sample, index);
    if (condition == null || !(sample instanceof Sample.Observed(var observation))) {
      return null;
    }
    Double score = observation.quality();
    return new Seen(
        score == null ? null : Double.valueOf(Math.pow(score, 1.0 / whole.conditions().size())),
        condition);
  }
}
