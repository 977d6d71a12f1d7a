package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import java.util.ArrayList;
import java.util.List;

/** The paper's Table 2: maximize quality with one model. */
final class QualityExperiment {

  private QualityExperiment() {}

  static TableResult run(SearchTrials trials, PaperOptions options) throws InterruptedException {
    PaperDataset dataSet = trials.dataSet();
    List<List<String>> rows = new ArrayList<>();
    rows.add(paper(dataSet));
    for (PolicyName policy : options.policies()) {
      options.progress().accept(dataSet.title() + ": maximize quality, " + policy.label());
      List<TrialOutcome> outcomes =
          trials.run(options.setup(policy, PaperOptions.QUALITY, PaperOptions.ONE_MODEL));
      int documents = dataSet.paperDocuments();
      rows.add(
          List.of(
              dataSet.title(),
              PaperOptions.name(policy),
              MeanAndDeviation.of(outcomes, trial -> trial.score().quality()).share(),
              MeanAndDeviation.of(outcomes, TrialOutcome::searchUsd).dollars(),
              MeanAndDeviation.of(outcomes, trial -> trial.score().cost() * documents).dollars(),
              MeanAndDeviation.of(
                      outcomes, trial -> trial.searchUsd() + trial.score().cost() * documents)
                  .dollars(),
              MeanAndDeviation.of(outcomes, TrialOutcome::searchSeconds).seconds()));
    }
    return TableResult.of(rows);
  }

  private static List<String> paper(PaperDataset dataSet) {
    return switch (dataSet) {
      case BIODEX ->
          paper(
              dataSet,
              "0.261 ± 0.026",
              "$0.18 ± 0.02",
              "$0.70 ± 0.12",
              "$0.89 ± 0.11",
              "303 ± 48 s");
      case CUAD ->
          paper(
              dataSet,
              "0.662 ± 0.010",
              "$0.19 ± 0.05",
              "$0.51 ± 0.01",
              "$0.69 ± 0.05",
              "318 ± 61 s");
      case MMQA ->
          paper(
              dataSet,
              "0.304 ± 0.079",
              "$0.17 ± 0.01",
              "$12.9 ± 10.6",
              "$13.1 ± 10.6",
              "598 ± 152 s");
    };
  }

  private static List<String> paper(PaperDataset dataSet, String... cells) {
    List<String> row = new ArrayList<>(List.of(dataSet.title(), "*paper, real models*"));
    row.addAll(List.of(cells));
    return row;
  }
}
