package dev.abacus.optimizer.loop.decide;

import dev.abacus.optimizer.loop.decide.DecisionMaker.Strategy;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.loop.state.ProgramSnapshot;
import dev.abacus.optimizer.loop.wholeplan.CrossFitting;
import dev.abacus.optimizer.loop.wholeplan.PlanRace;
import dev.abacus.optimizer.loop.wholeplan.UncertainPlan;
import dev.abacus.optimizer.sampling.SamplingState;
import dev.abacus.optimizer.search.cascades.SearchResult;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.catalogue.ServiceTier;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.LogicalOperator;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the best plan by the present samples.
 *
 * <p>While sampling is in progress, an implementation may be chosen once it has j samples (or as
 * many as there are examples). When sampling is finished, implementations with fewer samples may be
 * chosen for an operator where none has j. An implementation that never gave an answer is never
 * chosen, however low its cost, nor is one whose model is missing or has no key.
 *
 * @param state the samples by which implementations may be chosen
 * @param beliefs what is believed of live documents
 */
record PlanChooser(Strategy strategy, ProgramSnapshot view, SamplingState state, Beliefs beliefs) {

  /** Difference of probabilities that does not justify a worse plan. */
  private static final double ALIKE = 0.02;

  /** Probability of its bounds from which a plan that is better than the chosen one is measured. */
  private static final double PROMISING = 0.5;

  /** Number of plans among which a confirmed one is searched. */
  private static final int MOST_EXAMINED = 32;

  /** A chooser that believes what the policy says of the same samples. */
  static PlanChooser of(Strategy strategy, ProgramSnapshot view, SamplingState state) {
    return new PlanChooser(strategy, view, state, beliefs(strategy, view, state));
  }

  /**
   * What is believed of live documents: the policy's estimates of all implementations, for cascades
   * those of {@link CascadeEstimator}.
   */
  static Beliefs beliefs(Strategy strategy, ProgramSnapshot view, SamplingState state) {
    return view.beliefs(CascadeEstimator.in(view, strategy.policy().beliefs(state)));
  }

  private Confirmation confirmation() {
    return strategy.confirmation();
  }

  /**
   * Searches for the best plan.
   *
   * @param finished whether sampling is finished
   * @return null while some operator has no implementation that may be chosen
   */
  @Nullable SearchResult choose(boolean finished) {
    PlanCandidates candidates = candidates(finished);
    return candidates == null
        ? null
        : view.learned().equip(search(candidates, confirmation().boundProbability()));
  }

  /**
   * The plans to measure before one is promised. If quality is the target, the winner is the
   * cheapest plan within the tolerance of the chosen one, which is a challenger; else the winner is
   * the chosen one. A mixture that is better than the chosen one wins. Other challengers are a
   * better plan whose bounds hold with less than the required probability, if those of the winner
   * hold with it, and the best plan with other answers of one operator.
   *
   * @param found the result of {@link #choose} with {@code finished}
   * @param mostRun ids of the implementations that were run most, by operator id
   */
  PlanRace.Finalists finalists(SearchResult found, Map<String, Set<String>> mostRun) {
    PlanCandidates candidates = candidates(true);
    PlanChoice chosen = found.chosen();
    if (candidates == null) {
      UncertainPlan only = UncertainPlan.of(chosen, List.of());
      return new PlanRace.Finalists(only, only, null, List.of());
    }
    Objective objective = candidates.objective();
    PlanChoice winner =
        objective.target() == Dimension.QUALITY
            ? candidates.frugal(
                chosen,
                confirmation().tolerance(),
                Math.min(confirmation().boundProbability(), candidates.probability(chosen) - ALIKE))
            : chosen;
    PlanChoice promising =
        objective.bounds().isEmpty()
            ? chosen
            : search(candidates, Math.min(PROMISING, confirmation().boundProbability())).chosen();
    Map<String, PlanChoice> others = new LinkedHashMap<>();
    others.put(chosen.signature(), chosen);
    candidates
        .withoutEach(chosen, candidates.eligible().keySet(), ServiceTier::withoutTiers)
        .stream()
        .map(without -> search(without, confirmation().boundProbability()).chosen())
        .min(candidates.order())
        .ifPresent(second -> others.putIfAbsent(second.signature(), second));
    others.remove(winner.signature());
    others.remove(promising.signature());
    boolean better =
        candidates.probability(winner) >= confirmation().boundProbability()
            && !promising.signature().equals(winner.signature())
            && !promising.signature().equals(chosen.signature());
    PlanChoice mixture =
        view.program().mixes() && !objective.bounds().isEmpty()
            ? new MixtureSearch(candidates, confirmation().boundProbability()).betterThan(chosen)
            : null;
    UncertainPlan best = candidates.uncertain(mixture == null ? winner : mixture);
    return new PlanRace.Finalists(
        best,
        mixture == null ? begun(best, candidates.only(mostRun)) : best,
        better ? candidates.uncertain(promising) : null,
        others.values().stream().map(candidates::uncertain).toList());
  }

  /** The best plan of implementations that were run, unless it is shown to be worse. */
  private UncertainPlan begun(UncertainPlan winner, PlanCandidates run) {
    UncertainPlan begun = run.uncertain(search(run, confirmation().boundProbability()).chosen());
    return begun.isShownWorse(winner, run.objective(), confirmation().boundProbability())
        ? winner
        : begun;
  }

  /**
   * The best of the plans that were run, or of several within the tolerance the cheapest. Plans are
   * enumerated from the best on: each is followed by the best plans without one of its
   * implementations (Lawler 1972), of a plan that was not run without one of those that were not
   * run together.
   *
   * @param implementations ids of the implementations that were run, by operator id; all of an
   *     operator without an entry are considered
   * @param notRunTogether ids of operators of a plan whose implementations were not run together;
   *     empty if it has enough runs
   * @return null if there is no such plan among the first {@link #MOST_EXAMINED}
   */
  @Nullable UncertainPlan confirmed(
      Map<String, Set<String>> implementations, Function<PlanChoice, Set<String>> notRunTogether) {
    PlanCandidates all = candidates(true);
    if (all == null) {
      return null;
    }
    record Ranked(PlanChoice plan, PlanCandidates from) {}
    Queue<Ranked> queue = new PriorityQueue<>(Comparator.comparing(Ranked::plan, all.order()));
    Set<String> seen = new HashSet<>();
    List<PlanCandidates> next = List.of(all.only(implementations));
    List<PlanChoice> confirmed = new ArrayList<>();
    for (int i = 0; i < MOST_EXAMINED; i++) {
      for (PlanCandidates candidates : next) {
        queue.add(
            new Ranked(search(candidates, confirmation().boundProbability()).chosen(), candidates));
      }
      Ranked best = queue.poll();
      if (best == null || !isAlike(best.plan(), confirmed, all.objective())) {
        break;
      }
      Set<String> missing = notRunTogether.apply(best.plan());
      if (seen.add(best.plan().signature())
          && missing.isEmpty()
          && keepsBounds(best.plan(), confirmed, all)) {
        confirmed.add(best.plan());
      }
      Set<String> operators = missing.isEmpty() ? all.eligible().keySet() : missing;
      next = best.from().withoutEach(best.plan(), operators, id -> id);
    }
    return confirmed.stream()
        .min(Comparator.comparingDouble(plan -> plan.estimate().cost()))
        .map(all::uncertain)
        .orElse(null);
  }

  /** Whether a plan is within the tolerance of the best confirmed one, or the first of them. */
  private boolean isAlike(PlanChoice plan, List<PlanChoice> confirmed, Objective objective) {
    return confirmed.isEmpty()
        || (objective.target() == Dimension.QUALITY
            && plan.estimate().quality()
                >= confirmed.getFirst().estimate().quality() - confirmation().tolerance());
  }

  /** Whether a plan keeps its bounds with the required probability, or as likely as the best. */
  private boolean keepsBounds(
      PlanChoice plan, List<PlanChoice> confirmed, PlanCandidates candidates) {
    return confirmed.isEmpty()
        || candidates.probability(plan)
            >= Math.min(
                confirmation().boundProbability(),
                candidates.probability(confirmed.getFirst()) - ALIKE);
  }

  /**
   * The plans that would be chosen without the samples on the examples of each fold; empty if there
   * are no folds, or no plan for one of them.
   */
  List<CrossFitting.Fold> folds(List<List<ValidationExample>> folds) {
    List<CrossFitting.Fold> chosen = new ArrayList<>();
    for (List<ValidationExample> fold : folds) {
      PlanChooser others =
          of(strategy, view, state.without(fold.stream().map(ValidationExample::id).toList()));
      SearchResult found = others.choose(true);
      if (found == null) {
        return List.of();
      }
      chosen.add(new CrossFitting.Fold(others.finalists(found, Map.of()).winner(), fold));
    }
    return chosen;
  }

  /** The plans that may be chosen; null while some operator has no implementation. */
  private @Nullable PlanCandidates candidates(boolean finished) {
    int full = strategy.policy().fullSamples(strategy.fullSamples());
    Map<String, Integer> examples = new HashMap<>();
    state
        .operators()
        .forEach(operator -> examples.put(operator.operator(), operator.examples().size()));
    Map<String, Map<PhysicalOperator, OperatorEstimate>> all = new LinkedHashMap<>();
    for (LogicalOperator operator : view.program().semanticOperators()) {
      int enough = Math.min(full, Math.max(1, examples.getOrDefault(operator.id(), 0)));
      Map<PhysicalOperator, OperatorEstimate> eligible = eligible(operator, enough);
      if (eligible.isEmpty() && finished) {
        eligible = eligible(operator, 1);
      }
      if (eligible.isEmpty()) {
        return null;
      }
      all.put(operator.id(), view.learned().worthwhile(operator, eligible));
    }
    return new PlanCandidates(view.program(), all, beliefs, strategy.search());
  }

  private SearchResult search(PlanCandidates candidates, double boundProbability) {
    SearchResult found = candidates.search(candidates.objective());
    return strategy.policy().hasDeviations() && !candidates.objective().bounds().isEmpty()
        ? withMargin(found, candidates, boundProbability)
        : found;
  }

  /**
   * Replaces the chosen plan by the best one whose bounds hold with the required probability. If no
   * plan's do, by the likeliest, or the best of those that are as likely up to {@link #ALIKE}.
   */
  private static SearchResult withMargin(
      SearchResult found, PlanCandidates candidates, double boundProbability) {
    Objective objective = candidates.objective();
    if (!found.feasible()) {
      PlanChoice likeliest =
          found.frontier().stream()
              .max(Comparator.comparingDouble(plan -> candidates.uncertain(plan).margin(objective)))
              .orElse(found.chosen());
      return found.with(likeliest, objective);
    }
    Map<String, PlanChoice> all = new LinkedHashMap<>();
    found.frontier().forEach(plan -> all.put(plan.signature(), plan));
    candidates
        .surer(found.chosen(), boundProbability)
        .forEach(plan -> all.putIfAbsent(plan.signature(), plan));
    List<PlanChoice> plans = all.values().stream().sorted(candidates.order()).toList();
    double[] probabilities = plans.stream().mapToDouble(candidates::probability).toArray();
    double most = DoubleStream.of(probabilities).max().orElse(0);
    double enough = most >= boundProbability ? boundProbability : most - ALIKE;
    PlanChoice chosen = found.chosen();
    for (int i = probabilities.length - 1; i >= 0; i--) {
      chosen = probabilities[i] >= enough ? plans.get(i) : chosen;
    }
    return found.with(chosen, objective);
  }

  private Map<PhysicalOperator, OperatorEstimate> eligible(LogicalOperator operator, int samples) {
    Map<PhysicalOperator, OperatorEstimate> eligible = new LinkedHashMap<>();
    beliefs
        .of(operator.id())
        .forEach((arm, belief) -> {
          if (belief.samples() >= samples) {
            PhysicalOperator physical = Objects.requireNonNull(view.findArm(operator, arm.id()));
            if (!view.availability().isUnusable(physical)) {
              eligible.put(physical, belief.mean());
            }
          }
        });
    return eligible;
  }
}
