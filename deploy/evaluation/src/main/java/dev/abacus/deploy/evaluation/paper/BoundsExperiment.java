package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The paper's figure of cost bounds: quality under decreasing bounds on cost, with six models. A
 * bound is a share of the median cost of a plan without a bound, like the paper's tightest bound of
 * $1.
 */
final class BoundsExperiment {

  private static final List<Double> LOOSER = List.of(0.8, 0.5, 0.25);

  private BoundsExperiment() {}

  static TableResult run(SearchTrials trials, PaperOptions options) throws InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    List<String> remarks = new ArrayList<>();
    List<Double> shares = new ArrayList<>(LOOSER);
    shares.add(tightest(trials.dataSet()));
    for (PolicyName policy : options.policies()) {
      Map<PriorKind, List<MeanAndDeviation>> qualities = new EnumMap<>(PriorKind.class);
      double median = 0;
      for (int i = -1; i < shares.size(); i++) {
        Objective objective =
            i < 0
                ? PaperOptions.QUALITY
                : PaperOptions.qualityAtCost(rounded(median * shares.get(i)));
        String bound =
            i < 0
                ? "none"
                : String.format(
                    Locale.ROOT,
                    "$%.3g (%s of the median)",
                    objective.bounds().getFirst().limit(),
                    PaperOptions.percent(shares.get(i)));
        options
            .progress()
            .accept(
                "%s: bound on cost %s, %s"
                    .formatted(trials.dataSet().title(), bound, policy.label()));
        List<String> row =
            new ArrayList<>(List.of(trials.dataSet().title(), PaperOptions.name(policy), bound));
        List<String> met = new ArrayList<>();
        for (PriorKind priorKind : List.of(PriorKind.NONE, PriorKind.SAMPLED)) {
          List<TrialOutcome> outcomes =
              trials.run(
                  options
                      .setup(policy, objective, PaperOptions.SIX_MODELS)
                      .withPriors(priorKind.priors(trials)));
          if (i < 0 && priorKind == PriorKind.NONE) {
            median = median(outcomes);
          }
          MeanAndDeviation quality =
              MeanAndDeviation.of(outcomes, trial -> trial.score().quality());
          qualities.computeIfAbsent(priorKind, _ -> new ArrayList<>()).add(quality);
          row.add(quality.share());
          met.add(PaperOptions.percent(TrialOutcome.boundsMet(outcomes, objective)));
        }
        row.add(i < 0 ? "–" : String.join(" / ", met));
        rows.add(row);
      }
      qualities.forEach(
          (priorKind, values) -> remarks.add(remark(trials.dataSet(), policy, priorKind, values)));
    }
    return new TableResult(rows, remarks);
  }

  /** Returns the paper's bound of $1 as a share of the median cost of an unconstrained plan. */
  private static double tightest(PaperDataset dataSet) {
    return dataSet == PaperDataset.BIODEX ? 0.118 : 0.162;
  }

  private static String remark(
      PaperDataset dataSet,
      PolicyName policy,
      PriorKind priorKind,
      List<MeanAndDeviation> qualities) {
    double first = qualities.getFirst().mean();
    double worst = qualities.stream().mapToDouble(MeanAndDeviation::mean).min().orElse(0);
    String paper =
        dataSet != PaperDataset.BIODEX
            ? ""
            : priorKind == PriorKind.NONE
                ? " (paper: 45.6 % at its tightest)"
                : " (paper: 12.5 % at its lowest)";
    return String.format(
        Locale.ROOT,
        "%s, %s, %s: quality falls by %.1f %% at its lowest%s.",
        dataSet.title(),
        policy.label(),
        priorKind.label(),
        first > 0 ? 100 * (1 - worst / first) : 0,
        paper);
  }

  private static double median(List<TrialOutcome> outcomes) {
    double[] costs =
        outcomes.stream()
            .mapToDouble(trial -> trial.score().cost())
            .filter(Double::isFinite)
            .sorted()
            .toArray();
    return costs.length == 0 ? 0 : costs[costs.length / 2];
  }

  /** Rounds to three significant digits, for the report. */
  private static double rounded(double usd) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3g", usd));
  }
}
