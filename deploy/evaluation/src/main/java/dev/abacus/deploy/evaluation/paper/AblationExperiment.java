package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.search.cascades.Algorithm;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Pareto-Cascades or greedy, bandit or random, priors or none: the paper's ablation. Bounds are 80
 * % of the quality and 50 % of the cost that the paper's way reaches with one model.
 */
final class AblationExperiment {

  private record Cell(
      Objective objective,
      PolicyName policy,
      Algorithm algorithm,
      Belief belief,
      double reached,
      double met) {}

  private final Trials trials;
  private final Scope scope;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();

  private AblationExperiment(Trials trials, Scope scope) {
    this.trials = trials;
    this.scope = scope;
  }

  static Findings run(Trials trials, Scope scope) throws InterruptedException {
    List<Outcome> reference =
        trials.run(scope.setup(PolicyName.PAPER, Scope.QUALITY, Scope.ONE_MODEL));
    double quality = Spread.of(reference, trial -> trial.score().quality()).mean();
    double cost = Spread.of(reference, trial -> trial.score().cost()).mean();
    AblationExperiment experiment = new AblationExperiment(trials, scope);
    experiment.under(
        new Objective(
            Dimension.COST, List.of(new Bound(Dimension.QUALITY, rounded(0.8 * quality)))));
    experiment.under(Scope.qualityAtCost(rounded(0.5 * cost)));
    return new Findings(experiment.rows, List.of(), experiment.remarks());
  }

  private void under(Objective objective) throws InterruptedException {
    List<PolicyName> policies = new ArrayList<>(List.of(PolicyName.PAPER, PolicyName.RANDOM));
    scope.policies().stream().filter(policy -> !policies.contains(policy)).forEach(policies::add);
    for (PolicyName policy : policies) {
      for (Algorithm algorithm : List.of(Algorithm.PARETO, Algorithm.GREEDY)) {
        for (Belief belief : List.of(Belief.NONE, Belief.SAMPLED)) {
          cell(objective, policy, algorithm, belief);
        }
      }
    }
  }

  private void cell(Objective objective, PolicyName policy, Algorithm algorithm, Belief belief)
      throws InterruptedException {
    scope
        .progress()
        .accept(
            "%s: ablation, %s, %s, %s, %s"
                .formatted(
                    trials.dataSet().title(),
                    objective,
                    policy.label(),
                    algorithm.label(),
                    belief.label()));
    List<Outcome> outcomes =
        trials.run(
            scope
                .setup(policy, objective, Scope.SIX_MODELS)
                .with(algorithm)
                .believing(belief.priors(trials)));
    double met = Scope.boundsMet(outcomes, objective);
    cells.add(
        new Cell(
            objective,
            policy,
            algorithm,
            belief,
            Spread.of(outcomes, trial -> trial.score().get(objective.target())).mean(),
            met));
    rows.add(
        List.of(
            objective.toString(),
            Scope.name(policy),
            algorithm == Algorithm.PARETO ? "Pareto-Cascades" : "greedy",
            belief.label(),
            Spread.of(outcomes, trial -> trial.score().quality()).share(),
            Spread.of(outcomes, trial -> trial.score().cost()).dollars() + " per document",
            Scope.percent(met)));
  }

  private List<String> remarks() {
    return List.of(
        sentence(
            "priors: the objective is optimized %.2f times better and bounds are met %.2f times as often (paper: 3.5 and 1.8)",
            cell -> cell.belief() == Belief.SAMPLED, cell -> cell.belief() == Belief.NONE),
        sentence(
            "the bandit instead of random samples: %.2f times better, bounds met %.2f times as often (paper: minimal cost 1.4 and 1.3 times lower, no clear gain in quality)",
            cell -> cell.policy() == PolicyName.PAPER, cell -> cell.policy() == PolicyName.RANDOM),
        sentence(
            "Pareto-Cascades instead of greedy: %.2f times better, bounds met %.2f times as often (paper: met 1.2 times as often)",
            cell -> cell.algorithm() == Algorithm.PARETO,
            cell -> cell.algorithm() == Algorithm.GREEDY));
  }

  /** Means over the cells of the paper's two ways to sample, as far as they differ in one thing. */
  private String sentence(
      String words,
      java.util.function.Predicate<Cell> with,
      java.util.function.Predicate<Cell> without) {
    List<Cell> paper =
        cells.stream().filter(cell -> cell.policy() != PolicyName.SURROGATE).toList();
    List<Cell> some = paper.stream().filter(with).toList();
    List<Cell> others = paper.stream().filter(without).toList();
    double better = 0;
    double met = 0;
    double metWithout = 0;
    for (int i = 0; i < some.size(); i++) {
      double ratio = some.get(i).reached() / others.get(i).reached();
      double gain = some.get(i).objective().target() == Dimension.QUALITY ? ratio : 1 / ratio;
      better += Double.isFinite(gain) ? gain : 1;
      met += some.get(i).met();
      metWithout += others.get(i).met();
    }
    return String.format(
        Locale.ROOT,
        "On average over the paper's cells, " + words + ".",
        better / Math.max(1, some.size()),
        metWithout > 0 ? met / metWithout : Double.POSITIVE_INFINITY);
  }

  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3g", value));
  }
}
