package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The paper's Table 3: minimize cost, and minimize latency, with one model. */
final class CostLatencyExperiment {

  private CostLatencyExperiment() {}

  static TableResult run(SearchTrials trials, PaperOptions options) throws InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    for (Dimension target : List.of(Dimension.COST, Dimension.LATENCY)) {
      rows.add(paper(trials.dataSet(), target));
      for (PolicyName policy : options.policies()) {
        rows.add(ours(trials, options, target, policy));
      }
    }
    return TableResult.of(rows);
  }

  private static List<String> ours(
      SearchTrials trials, PaperOptions options, Dimension target, PolicyName policy)
      throws InterruptedException {
    PaperDataset dataSet = trials.dataSet();
    Objective objective = new Objective(target, List.of());
    options.progress().accept(dataSet.title() + ": " + objective + ", " + policy.label());
    List<TrialOutcome> best =
        trials.run(options.setup(policy, PaperOptions.QUALITY, PaperOptions.ONE_MODEL));
    List<TrialOutcome> cheap = trials.run(options.setup(policy, objective, PaperOptions.ONE_MODEL));
    MeanAndDeviation spent = MeanAndDeviation.of(cheap, trial -> trial.score().get(target));
    double before = MeanAndDeviation.of(best, trial -> trial.score().get(target)).mean();
    return List.of(
        dataSet.title(),
        objective.toString(),
        PaperOptions.name(policy),
        MeanAndDeviation.of(cheap, trial -> trial.score().quality()).share(),
        target == Dimension.COST
            ? spent.times(dataSet.paperDocuments()).dollars()
            : String.format(
                Locale.ROOT, "%.1f ± %.1f s per document", spent.mean(), spent.deviation()),
        spent.mean() > 0 ? String.format(Locale.ROOT, "%.2fx", before / spent.mean()) : "–");
  }

  private static List<String> paper(PaperDataset dataSet, Dimension target) {
    boolean cost = target == Dimension.COST;
    return switch (dataSet) {
      case BIODEX ->
          cost
              ? paper(dataSet, target, "0.21 ± 0.02", "$0.28 ± 0.10", "2.50x")
              : paper(dataSet, target, "0.21 ± 0.03", "128 ± 50 s in all", "1.15x");
      case CUAD ->
          cost
              ? paper(dataSet, target, "0.05 ± 0.02", "$0.12 ± 0.01", "4.25x")
              : paper(dataSet, target, "0.10 ± 0.05", "55 ± 18 s in all", "2.4x");
      case MMQA ->
          cost
              ? paper(dataSet, target, "0.31 ± 0.05", "$16.0 ± 9.7", "0.81x")
              : paper(dataSet, target, "0.28 ± 0.07", "540 ± 382 s in all", "1.02x");
    };
  }

  private static List<String> paper(
      PaperDataset dataSet, Dimension target, String quality, String spent, String reduction) {
    return List.of(
        dataSet.title(),
        "minimize " + target.label(),
        "*paper, real models*",
        quality,
        spent,
        reduction);
  }
}
