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
 * The paper's figure of priors: quality by sample budget, with and without priors, with six models.
 * The bound on cost is the 25th percentile of the cost of plans without a bound, as in the paper.
 */
final class PriorsExperiment {

  private final SearchTrials trials;
  private final PaperOptions options;
  private final List<List<String>> rows = new ArrayList<>();
  private final List<String> remarks = new ArrayList<>();
  private final List<Double> costs = new ArrayList<>();

  private PriorsExperiment(SearchTrials trials, PaperOptions options) {
    this.trials = trials;
    this.options = options;
  }

  static TableResult run(SearchTrials trials, PaperOptions options) throws InterruptedException {
    PriorsExperiment experiment = new PriorsExperiment(trials, options);
    experiment.under(PaperOptions.QUALITY);
    double[] sorted = experiment.costs.stream().mapToDouble(cost -> cost).sorted().toArray();
    if (sorted.length > 0) {
      experiment.under(PaperOptions.qualityAtCost(sorted[sorted.length / 4]));
    }
    return new TableResult(experiment.rows, experiment.remarks);
  }

  private void under(Objective objective) throws InterruptedException {
    String title = trials.dataSet().title();
    Map<PriorKind, Double> best = new EnumMap<>(PriorKind.class);
    for (PolicyName policy : options.policies()) {
      for (int budget : options.budgets()) {
        options
            .progress()
            .accept(
                "%s: priors, %s, %d samples, %s"
                    .formatted(title, objective, budget, policy.label()));
        List<String> row =
            new ArrayList<>(
                List.of(
                    title, brief(objective), PaperOptions.name(policy), String.valueOf(budget)));
        List<String> met = new ArrayList<>();
        double without = 0;
        for (PriorKind priorKind : PriorKind.values()) {
          List<TrialOutcome> outcomes =
              trials.run(
                  SearchSetup.of(policy, objective, PaperOptions.SIX_MODELS, budget)
                      .withPriors(priorKind.priors(trials)));
          outcomes.stream()
              .map(outcome -> outcome.score().cost())
              .filter(Double::isFinite)
              .forEach(costs::add);
          MeanAndDeviation quality =
              MeanAndDeviation.of(outcomes, trial -> trial.score().quality());
          row.add(quality.share());
          met.add(PaperOptions.percent(TrialOutcome.boundsMet(outcomes, objective)));
          without = priorKind == PriorKind.NONE ? quality.mean() : without;
          best.merge(priorKind, without > 0 ? quality.mean() / without : 0, Math::max);
        }
        row.add(objective.bounds().isEmpty() ? "–" : String.join(" / ", met));
        rows.add(row);
      }
    }
    remarks.add(remark(objective, best));
  }

  private String remark(Objective objective, Map<PriorKind, Double> best) {
    boolean bounded = !objective.bounds().isEmpty();
    String paper =
        switch (trials.dataSet()) {
          case BIODEX -> bounded ? "2.01" : "1.43";
          default -> bounded ? "3.02" : "1.60";
        };
    return String.format(
        Locale.ROOT,
        "%s, %s: best quality relative to no priors: %.2f times with naive priors, %.2f times with sampled priors (paper: up to %s times with either).",
        trials.dataSet().title(),
        brief(objective),
        Objects.requireNonNull(best.get(PriorKind.NAIVE)),
        Objects.requireNonNull(best.get(PriorKind.SAMPLED)),
        paper);
  }

  private static String brief(Objective objective) {
    return objective.bounds().isEmpty()
        ? "maximize quality"
        : String.format(
            Locale.ROOT, "at cost <= $%.3g per document", objective.bounds().getFirst().limit());
  }
}
