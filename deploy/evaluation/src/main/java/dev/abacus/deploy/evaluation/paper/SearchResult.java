package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.search.cascades.Algorithm;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What the searches of one configuration found, measured on documents that they did not see.
 *
 * @param dataSet title of the data set
 * @param quality mean score of the program's last map; 0 without a plan
 * @param cost USD per document
 * @param latency modelled seconds per document
 * @param searchUsd USD of a search
 * @param searchSeconds modelled seconds of a search
 * @param boundsMet share of the plans that meet all bounds, in [0, 1]
 */
record SearchResult(
    String dataSet,
    SearchSetup setup,
    MeanAndDeviation quality,
    MeanAndDeviation cost,
    MeanAndDeviation latency,
    MeanAndDeviation searchUsd,
    MeanAndDeviation searchSeconds,
    double boundsMet) {

  /** The columns of a table of results. */
  static final List<String> COLUMNS =
      List.of(
          "data set",
          "objective",
          "search by",
          "plan by",
          "priors",
          "models",
          "samples",
          "quality",
          "$ per document",
          "s per document",
          "$ of a search",
          "s of a search",
          "bounds met");

  /** One search: the score of its plan and what it took. */
  record Trial(PlanScore score, double searchUsd, double searchSeconds) {}

  static SearchResult of(String dataSet, SearchSetup setup, List<Trial> trials) {
    return new SearchResult(
        dataSet,
        setup,
        over(trials, trial -> trial.score.quality()),
        over(trials, trial -> trial.score.cost()),
        over(trials, trial -> trial.score.latency()),
        over(trials, Trial::searchUsd),
        over(trials, Trial::searchSeconds),
        trials.stream()
            .mapToDouble(trial -> trial.score.meets(setup.objective()) ? 1 : 0)
            .average()
            .orElse(0));
  }

  private static MeanAndDeviation over(List<Trial> trials, ToDoubleFunction<Trial> value) {
    return MeanAndDeviation.of(trials.stream().mapToDouble(value).toArray());
  }

  /** Returns the cells of {@link #COLUMNS}. */
  List<String> cells() {
    return List.of(
        dataSet,
        setup.objective().toString(),
        name(setup.policy()),
        setup.algorithm() == Algorithm.PARETO ? "Pareto-Cascades" : "greedy",
        setup.priors().label(),
        String.valueOf(setup.models().size()),
        String.valueOf(setup.samples()),
        quality.text("%.3f"),
        cost.text("%.3g"),
        latency.text("%.1f"),
        searchUsd.text("%.3g"),
        searchSeconds.text("%.0f"),
        setup.objective().bounds().isEmpty()
            ? "–"
            : String.format(Locale.ROOT, "%.0f %%", 100 * boundsMet));
  }

  private static String name(PolicyName policy) {
    return switch (policy) {
      case SURROGATE -> "surrogate (ours)";
      case PAPER -> "the paper's bandit";
      case RANDOM -> "random";
    };
  }
}
