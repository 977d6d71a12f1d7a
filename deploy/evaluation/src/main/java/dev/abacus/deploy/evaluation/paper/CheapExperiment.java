package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Minimize cost, and minimize latency, with one model: the paper's Table 3. */
final class CheapExperiment {

  private CheapExperiment() {}

  static Findings run(Trials trials, Scope scope) throws InterruptedException {
    List<List<String>> rows = new ArrayList<>();
    for (Dimension target : List.of(Dimension.COST, Dimension.LATENCY)) {
      rows.add(paper(trials.dataSet(), target));
      for (PolicyName policy : scope.policies()) {
        rows.add(ours(trials, scope, target, policy));
      }
    }
    return Findings.of(rows);
  }

  private static List<String> ours(Trials trials, Scope scope, Dimension target, PolicyName policy)
      throws InterruptedException {
    DataSet dataSet = trials.dataSet();
    Objective objective = new Objective(target, List.of());
    scope.progress().accept(dataSet.title() + ": " + objective + ", " + policy.label());
    List<Outcome> best = trials.run(scope.setup(policy, Scope.QUALITY, Scope.ONE_MODEL));
    List<Outcome> cheap = trials.run(scope.setup(policy, objective, Scope.ONE_MODEL));
    Spread spent = Spread.of(cheap, trial -> trial.score().get(target));
    double before = Spread.of(best, trial -> trial.score().get(target)).mean();
    return List.of(
        dataSet.title(),
        objective.toString(),
        Scope.name(policy),
        Spread.of(cheap, trial -> trial.score().quality()).share(),
        target == Dimension.COST
            ? spent.times(dataSet.paperDocuments()).dollars()
            : String.format(
                Locale.ROOT, "%.1f ± %.1f s per document", spent.mean(), spent.deviation()),
        spent.mean() > 0 ? String.format(Locale.ROOT, "%.2fx", before / spent.mean()) : "–");
  }

  private static List<String> paper(DataSet dataSet, Dimension target) {
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
      DataSet dataSet, Dimension target, String quality, String spent, String reduction) {
    return List.of(
        dataSet.title(),
        "minimize " + target.label(),
        "*paper, real models*",
        quality,
        spent,
        reduction);
  }
}
