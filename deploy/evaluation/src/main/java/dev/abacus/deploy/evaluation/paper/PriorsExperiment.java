package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/**
 * Quality against the budget with and without priors, six models: the paper's figure of priors. The
 * bound on cost is the 25th percentile of what plans without a bound cost, as in the paper.
 */
final class PriorsExperiment {

  private final Trials trials;
  private final Scope scope;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<Chart> charts = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final List<Double> costs = new ArrayList<>();

  private PriorsExperiment(Trials trials, Scope scope) {
    this.trials = trials;
    this.scope = scope;
  }

  static Findings run(Trials trials, Scope scope) throws InterruptedException {
    PriorsExperiment experiment = new PriorsExperiment(trials, scope);
    experiment.under(Scope.QUALITY, "quality");
    double[] sorted = experiment.costs.stream().mapToDouble(cost -> cost).sorted().toArray();
    if (sorted.length > 0) {
      experiment.under(Scope.qualityAtCost(sorted[sorted.length / 4]), "bounded");
    }
    return new Findings(experiment.rows, experiment.charts, experiment.remarks);
  }

  private void under(Objective objective, String name) throws InterruptedException {
    String title = trials.dataSet().title();
    Map<Belief, Double> best = new EnumMap<>(Belief.class);
    List<Chart.Series> series = new ArrayList<>();
    for (PolicyName policy : scope.policies()) {
      Map<Belief, List<Spread>> qualities = new EnumMap<>(Belief.class);
      for (int budget : scope.budgets()) {
        scope
            .progress()
            .accept(
                "%s: priors, %s, %d samples, %s"
                    .formatted(title, objective, budget, policy.label()));
        List<String> row =
            new ArrayList<>(
                List.of(title, brief(objective), Scope.name(policy), String.valueOf(budget)));
        List<String> met = new ArrayList<>();
        double without = 0;
        for (Belief belief : Belief.values()) {
          List<Outcome> outcomes =
              trials.run(
                  Setup.of(policy, objective, Scope.SIX_MODELS, budget)
                      .believing(belief.priors(trials)));
          outcomes.stream()
              .map(outcome -> outcome.score().cost())
              .filter(Double::isFinite)
              .forEach(costs::add);
          Spread quality = Spread.of(outcomes, trial -> trial.score().quality());
          qualities.computeIfAbsent(belief, _ -> new ArrayList<>()).add(quality);
          row.add(quality.share());
          met.add(Scope.percent(Scope.boundsMet(outcomes, objective)));
          without = belief == Belief.NONE ? quality.mean() : without;
          best.merge(belief, without > 0 ? quality.mean() / without : 0, Math::max);
        }
        row.add(objective.bounds().isEmpty() ? "–" : String.join(" / ", met));
        rows.add(row);
      }
      qualities.forEach((belief, values) ->
          series.add(new Chart.Series(policy.label() + ", " + belief.label(), values)));
    }
    charts.add(
        new Chart(
            "priors-%s-%s".formatted(trials.dataSet().folder(), name),
            "%s, %s".formatted(title, brief(objective)),
            "samples per semantic operator",
            "quality",
            scope.budgets().stream().map(String::valueOf).toList(),
            series));
    remarks.add(remark(objective, best));
  }

  private String remark(Objective objective, Map<Belief, Double> best) {
    boolean bounded = !objective.bounds().isEmpty();
    String paper =
        switch (trials.dataSet()) {
          case BIODEX -> bounded ? "2.01" : "1.43";
          default -> bounded ? "3.02" : "1.60";
        };
    return String.format(
        Locale.ROOT,
        "%s, %s: at best %.2f times the quality without priors with naive ones, %.2f times with sampled ones; in the paper up to %s times with either.",
        trials.dataSet().title(),
        brief(objective),
        Objects.requireNonNull(best.get(Belief.NAIVE)),
        Objects.requireNonNull(best.get(Belief.SAMPLED)),
        paper);
  }

  private static String brief(Objective objective) {
    return objective.bounds().isEmpty()
        ? "maximize quality"
        : String.format(
            Locale.ROOT, "at cost <= $%.3g per document", objective.bounds().getFirst().limit());
  }
}
