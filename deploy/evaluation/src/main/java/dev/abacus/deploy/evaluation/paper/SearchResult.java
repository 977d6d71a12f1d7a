package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * What the searches of one configuration found, measured on documents that they did not see.
 *
 * @param dataSet title of the data set
 * @param quality mean score of the program's last map; 0 without a plan
 * @param cost USD per document
 * @param latency modelled seconds per document
 * @param searchUsd USD of a search
 * @param searchSeconds modelled seconds of a search, if all samples of a wave run in parallel
 */
record SearchResult(
    String dataSet,
    SearchSetup setup,
    MeanAndDeviation quality,
    MeanAndDeviation cost,
    MeanAndDeviation latency,
    MeanAndDeviation searchUsd,
    MeanAndDeviation searchSeconds) {

  static final List<String> COLUMNS =
      List.of(
          "data set",
          "objective",
          "search by",
          "samples",
          "quality",
          "$ per document",
          "s per document",
          "$ of a search",
          "s of a search");

  /** One search, and the score of its plan on the test documents. */
  record Trial(OfflineSearch.Found found, PlanScore score) {}

  static SearchResult of(String dataSet, SearchSetup setup, List<Trial> trials) {
    return new SearchResult(
        dataSet,
        setup,
        over(trials, trial -> trial.score.quality()),
        over(trials, trial -> trial.score.cost()),
        over(trials, trial -> trial.score.latency()),
        over(trials, trial -> trial.found.usd()),
        over(trials, trial -> trial.found.seconds()));
  }

  private static MeanAndDeviation over(List<Trial> trials, ToDoubleFunction<Trial> value) {
    return MeanAndDeviation.of(trials.stream().mapToDouble(value).toArray());
  }

  /** Returns the cells of a row under {@link #COLUMNS}. */
  List<String> cells() {
    return List.of(
        dataSet,
        setup.objective().toString(),
        name(setup.policy()),
        String.valueOf(setup.samples()),
        quality.text("%.3f"),
        cost.text("%.3g"),
        latency.text("%.1f"),
        searchUsd.text("%.3g"),
        searchSeconds.text("%.0f"));
  }

  private static String name(PolicyName policy) {
    return switch (policy) {
      case SURROGATE -> "surrogate (ours)";
      case PAPER -> "the paper's bandit";
      case RANDOM -> "random";
    };
  }
}
