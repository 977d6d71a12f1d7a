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
 * The paper's ablation: Pareto-Cascades or greedy search, bandit or random sampling, with or
 * without priors. The bounds are 80 % of the quality and 50 % of the cost that the paper's
 * configuration reaches with one model.
 */
final class AblationExperiment {

  private record Cell(
      Objective objective,
      PolicyName policy,
      Algorithm algorithm,
      PriorKind priorKind,
      double reached,
      double met) {}

  private final SearchTrials trials;
  private final PaperOptions options;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Cell> cells = new ArrayList<>();

  private AblationExperiment(SearchTrials trials, PaperOptions options) {
    this.trials = trials;
    this.options = options;
  }

  static TableResult run(SearchTrials trials, PaperOptions options) throws InterruptedException {
    List<TrialOutcome> reference =
        trials.run(options.setup(PolicyName.PAPER, PaperOptions.QUALITY, PaperOptions.ONE_MODEL));
    double quality = MeanAndDeviation.of(reference, trial -> trial.score().quality()).mean();
    double cost = MeanAndDeviation.of(reference, trial -> trial.score().cost()).mean();
    AblationExperiment experiment = new AblationExperiment(trials, options);
    experiment.under(
        new Objective(
            Dimension.COST, List.of(new Bound(Dimension.QUALITY, rounded(0.8 * quality)))));
    experiment.under(PaperOptions.qualityAtCost(rounded(0.5 * cost)));
    return new TableResult(experiment.rows, experiment.remarks());
  }

  private void under(Objective objective) throws InterruptedException {
    List<PolicyName> policies = new ArrayList<>(List.of(PolicyName.PAPER, PolicyName.RANDOM));
    options.policies().stream().filter(policy -> !policies.contains(policy)).forEach(policies::add);
    for (PolicyName policy : policies) {
      for (Algorithm algorithm : List.of(Algorithm.PARETO, Algorithm.GREEDY)) {
        for (PriorKind priorKind : List.of(PriorKind.NONE, PriorKind.SAMPLED)) {
          cell(objective, policy, algorithm, priorKind);
        }
      }
    }
  }

  private void cell(
      Objective objective, PolicyName policy, Algorithm algorithm, PriorKind priorKind)
      throws InterruptedException {
    options
        .progress()
        .accept(
            "%s: ablation, %s, %s, %s, %s"
                .formatted(
                    trials.dataSet().title(),
                    objective,
                    policy.label(),
                    algorithm.label(),
                    priorKind.label()));
    List<TrialOutcome> outcomes =
        trials.run(
            options
                .setup(policy, objective, PaperOptions.SIX_MODELS)
                .with(algorithm)
                .withPriors(priorKind.priors(trials)));
    double met = TrialOutcome.boundsMet(outcomes, objective);
    cells.add(
        new Cell(
            objective,
            policy,
            algorithm,
            priorKind,
            MeanAndDeviation.of(outcomes, trial -> trial.score().get(objective.target())).mean(),
            met));
    rows.add(
        List.of(
            objective.toString(),
            PaperOptions.name(policy),
            algorithm == Algorithm.PARETO ? "Pareto-Cascades" : "greedy",
            priorKind.label(),
            MeanAndDeviation.of(outcomes, trial -> trial.score().quality()).share(),
            MeanAndDeviation.of(outcomes, trial -> trial.score().cost()).dollars()
                + " per document",
            PaperOptions.percent(met)));
  }

  private List<String> remarks() {
    return List.of(
        sentence(
            "priors: the objective is optimized %.2f times better and bounds are met %.2f times as often (paper: 3.5 and 1.8)",
            cell -> cell.priorKind() == PriorKind.SAMPLED,
            cell -> cell.priorKind() == PriorKind.NONE),
        sentence(
            "the bandit instead of random samples: %.2f times better, bounds met %.2f times as often (paper: minimal cost 1.4 and 1.3 times lower, no clear gain in quality)",
            cell -> cell.policy() == PolicyName.PAPER, cell -> cell.policy() == PolicyName.RANDOM),
        sentence(
            "Pareto-Cascades instead of greedy: %.2f times better, bounds met %.2f times as often (paper: met 1.2 times as often)",
            cell -> cell.algorithm() == Algorithm.PARETO,
            cell -> cell.algorithm() == Algorithm.GREEDY));
  }

  /**
   * Compares means over the cells of the paper's two sampling policies that differ in one factor.
   */
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
