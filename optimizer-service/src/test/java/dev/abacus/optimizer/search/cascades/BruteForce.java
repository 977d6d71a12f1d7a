package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Project;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * All legal orders and all choices, one by one, in whole numbers: an answer to compare the search
 * with that shares no code with it. Estimates must be whole hundredths.
 */
final class BruteForce {

  /** Exact values: quality in 100^-n, cost in 100^-(n+1) USD, latency in hundredths. */
  record Exact(long quality, long cost, long latency) {
    long get(Dimension dimension) {
      return switch (dimension) {
        case QUALITY -> quality;
        case COST -> cost;
        case LATENCY -> latency;
      };
    }

    Exact only(Set<Dimension> dimensions) {
      return new Exact(
          dimensions.contains(Dimension.QUALITY) ? quality : 0,
          dimensions.contains(Dimension.COST) ? cost : 0,
          dimensions.contains(Dimension.LATENCY) ? latency : 0);
    }

    boolean covers(Exact other) {
      return quality >= other.quality && cost <= other.cost && latency <= other.latency;
    }
  }

  private final RandomCase given;
  private final int size;
  private final Set<Exact> plans = new HashSet<>();
  private final Set<Set<Integer>> downSets = new HashSet<>();

  BruteForce(RandomCase given) {
    this.given = given;
    this.size = given.program().operators().size();
    downSets.add(Set.of());
    order(new ArrayList<>());
  }

  /** Sets of operators that some legal order begins with, the empty one included. */
  int groups() {
    return downSets.size();
  }

  Set<Exact> feasible() {
    return plans.stream().filter(this::isFeasible).collect(Collectors.toSet());
  }

  Set<Exact> all() {
    return plans;
  }

  boolean isFeasible(Exact plan) {
    return given.objective().bounds().stream().allMatch(bound -> holds(bound, plan));
  }

  /** The values over some dimensions that no other plan's cover. */
  static Set<Exact> frontier(Set<Exact> plans, Set<Dimension> dimensions) {
    Set<Exact> cut = new HashSet<>();
    plans.forEach(plan -> cut.add(plan.only(dimensions)));
    Set<Exact> frontier = new HashSet<>();
    for (Exact plan : cut) {
      if (frontier.stream().noneMatch(other -> other.covers(plan))) {
        frontier.removeIf(plan::covers);
        frontier.add(plan);
      }
    }
    return frontier;
  }

  static long best(Set<Exact> plans, Dimension target) {
    return target == Dimension.QUALITY
        ? plans.stream().mapToLong(Exact::quality).max().orElseThrow()
        : plans.stream().mapToLong(plan -> plan.get(target)).min().orElseThrow();
  }

  /** The estimate of a plan of the search in the units of this class. */
  Exact exact(NamedPlan plan) {
    return new Exact(
        Math.round(plan.estimate().quality() * power(size)),
        Math.round(plan.estimate().cost() * power(size + 1)),
        Math.round(plan.estimate().latency() * 100));
  }

  /** The estimate of a plan of the search, reckoned anew from its steps. */
  Exact reckon(NamedPlan plan) {
    List<Candidate> chosen = new ArrayList<>();
    for (NamedPlan.Step step : plan.steps()) {
      chosen.add(
          given.candidates().getOrDefault(step.logical().id(), List.of()).stream()
              .filter(candidate -> candidate.id().equals(step.physical()))
              .findFirst()
              .orElseThrow());
    }
    return reckon(chosen);
  }

  boolean isLegal(List<LogicalOperator> order) {
    List<LogicalOperator> written = given.program().operators();
    return new HashSet<>(order).equals(new HashSet<>(written))
        && order.size() == size
        && inversions(order, written).isEmpty();
  }

  private static List<String> inversions(
      List<LogicalOperator> order, List<LogicalOperator> written) {
    List<String> inversions = new ArrayList<>();
    for (int i = 0; i < order.size(); i++) {
      for (int j = i + 1; j < order.size(); j++) {
        if (written.indexOf(order.get(i)) > written.indexOf(order.get(j))
            && conflict(order.get(i), order.get(j))) {
          inversions.add(order.get(i).id() + " before " + order.get(j).id());
        }
      }
    }
    return inversions;
  }

  private void order(List<LogicalOperator> begun) {
    List<LogicalOperator> written = given.program().operators();
    if (begun.size() == size) {
      choose(begun, new ArrayList<>());
      return;
    }
    for (LogicalOperator next : written) {
      boolean ready =
          written.subList(0, written.indexOf(next)).stream()
              .allMatch(earlier -> begun.contains(earlier) || !conflict(earlier, next));
      if (!begun.contains(next) && ready) {
        List<LogicalOperator> more = new ArrayList<>(begun);
        more.add(next);
        downSets.add(more.stream().map(written::indexOf).collect(Collectors.toSet()));
        order(more);
      }
    }
  }

  private void choose(List<LogicalOperator> order, List<Candidate> chosen) {
    if (chosen.size() == size) {
      plans.add(reckon(chosen));
      return;
    }
    for (Candidate candidate :
        given.candidates().getOrDefault(order.get(chosen.size()).id(), List.of())) {
      chosen.addLast(candidate);
      choose(order, chosen);
      chosen.removeLast();
    }
  }

  private Exact reckon(List<Candidate> chosen) {
    long quality = 1;
    long cost = 0;
    long latency = 0;
    long reaching = power(size);
    for (Candidate candidate : chosen) {
      quality *= Math.round(candidate.estimate().quality() * 100);
      cost += reaching * Math.round(candidate.estimate().cost() * 100);
      latency += Math.round(candidate.estimate().latency() * 100);
      if (given.costModel() == CostModel.SELECTIVITY) {
        reaching = reaching / 100 * Math.round(candidate.estimate().selectivity() * 100);
      }
    }
    return new Exact(quality, cost, latency);
  }

  private boolean holds(Bound bound, Exact plan) {
    long hundredths = Math.round(bound.limit() * 100);
    return switch (bound.dimension()) {
      case QUALITY -> plan.quality() >= hundredths * power(size - 1);
      case COST -> plan.cost() <= hundredths * power(size);
      case LATENCY -> plan.latency() <= hundredths;
    };
  }

  private static boolean conflict(LogicalOperator one, LogicalOperator other) {
    if (one instanceof Project && other instanceof Project) {
      return false;
    }
    if (one instanceof Project project) {
      return !keepsAllOf(project, other);
    }
    if (other instanceof Project project) {
      return !keepsAllOf(project, one);
    }
    return reads(one, other) || reads(other, one) || overlap(one, other);
  }

  private static boolean keepsAllOf(Project project, LogicalOperator operator) {
    List<String> touched = new ArrayList<>(operator.reads());
    touched.addAll(operator.writtenFields());
    return !operator.reads().isEmpty() && project.fields().containsAll(touched);
  }

  private static boolean reads(LogicalOperator reader, LogicalOperator writer) {
    return !writer.writtenFields().isEmpty()
        && (reader.reads().isEmpty()
            || reader.reads().stream().anyMatch(writer.writtenFields()::contains));
  }

  private static boolean overlap(LogicalOperator one, LogicalOperator other) {
    return one.writtenFields().stream().anyMatch(other.writtenFields()::contains);
  }

  private static long power(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 100;
    }
    return power;
  }
}
