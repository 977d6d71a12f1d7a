package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.evaluation.paper.SearchSetup.PriorKind;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.search.cascades.Algorithm;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The reproduced tables and figures of the paper's evaluation: which searches are compared. All of
 * them report the same figures ({@link SearchResult}).
 */
enum PaperTable {
  QUALITY("Maximize quality (the paper's Table 2)"),
  CHEAP("Minimize cost, minimize latency (the paper's Table 3)"),
  PRIORS("Priors against budget (the paper's figure of priors)"),
  BOUNDS("Tighter bounds on cost (the paper's figure of cost bounds)"),
  ABLATION("Ablation (the paper's last figure)");

  /** Sampling policies and samples per semantic operator to compare. */
  record Grid(List<PolicyName> policies, List<Integer> budgets) {

    private static final int PAPER_SAMPLES = 50;

    Grid {
      policies = policies.stream().distinct().toList();
      budgets = budgets.stream().sorted().distinct().toList();
    }

    /** Returns the samples of tables with a fixed budget: the largest up to the paper's 50. */
    int samples() {
      return budgets.stream()
          .filter(budget -> budget <= PAPER_SAMPLES)
          .reduce((_, last) -> last)
          .orElse(budgets.getFirst());
    }
  }

  /** The model of the comparison between systems (section 4.3). */
  private static final List<String> ONE_MODEL = List.of("gpt-4o-mini");

  /** The models of the other experiments (section 4.1). */
  private static final List<String> SIX_MODELS =
      List.of(
          "gpt-4o",
          "gpt-4o-mini",
          "llama-3.1-8b",
          "llama-3.3-70b",
          "mixtral-8x7b",
          "deepseek-r1-distill-qwen-1.5b");

  /** The bounds of the paper's figure as shares of the median cost; then the data set's own. */
  private static final List<Double> LOOSER = List.of(0.8, 0.5, 0.25);

  private final String title;

  PaperTable(String title) {
    this.title = title;
  }

  String title() {
    return title;
  }

  /** Returns the data sets that the paper uses for the table. */
  Set<PaperDataset> dataSets() {
    return switch (this) {
      case QUALITY, CHEAP -> EnumSet.allOf(PaperDataset.class);
      case PRIORS, BOUNDS -> EnumSet.of(PaperDataset.BIODEX, PaperDataset.CUAD);
      case ABLATION -> EnumSet.of(PaperDataset.BIODEX);
    };
  }

  /** Runs the searches of the table on one data set. */
  List<SearchResult> run(SearchTrials trials, Grid grid) throws InterruptedException {
    return switch (this) {
      case QUALITY -> withOneModel(trials, grid, List.of(Dimension.QUALITY));
      case CHEAP -> withOneModel(trials, grid, List.of(Dimension.COST, Dimension.LATENCY));
      case PRIORS -> priors(trials, grid);
      case BOUNDS -> bounds(trials, grid);
      case ABLATION -> ablation(trials, grid);
    };
  }

  private static List<SearchResult> withOneModel(
      SearchTrials trials, Grid grid, List<Dimension> targets) throws InterruptedException {
    List<SearchResult> results = new ArrayList<>();
    for (Dimension target : targets) {
      for (PolicyName policy : grid.policies()) {
        results.add(
            trials.result(
                SearchSetup.of(policy, ONE_MODEL, grid.samples())
                    .with(new Objective(target, List.of()))));
      }
    }
    return results;
  }

  /** The bound is the 25th percentile of the cost of plans without a bound, as in the paper. */
  private static List<SearchResult> priors(SearchTrials trials, Grid grid)
      throws InterruptedException {
    List<SearchSetup> setups = new ArrayList<>();
    for (PolicyName policy : grid.policies()) {
      for (int budget : grid.budgets()) {
        for (PriorKind priors : PriorKind.values()) {
          setups.add(SearchSetup.of(policy, SIX_MODELS, budget).with(priors));
        }
      }
    }
    Objective bounded = qualityAtCost(trials.costQuantile(setups, 0.25));
    setups.addAll(setups.stream().map(setup -> setup.with(bounded)).toList());
    List<SearchResult> results = new ArrayList<>();
    for (SearchSetup setup : setups) {
      results.add(trials.result(setup));
    }
    return results;
  }

  private static List<SearchResult> bounds(SearchTrials trials, Grid grid)
      throws InterruptedException {
    List<Double> shares = new ArrayList<>(LOOSER);
    shares.add(trials.dataSet() == PaperDataset.BIODEX ? 0.118 : 0.162);
    List<SearchResult> results = new ArrayList<>();
    for (PolicyName policy : grid.policies()) {
      SearchSetup unbounded = SearchSetup.of(policy, SIX_MODELS, grid.samples());
      results.addAll(withoutAndWithPriors(trials, unbounded));
      double median = trials.costQuantile(List.of(unbounded), 0.5);
      for (double share : shares) {
        results.addAll(withoutAndWithPriors(trials, unbounded.with(qualityAtCost(median * share))));
      }
    }
    return results;
  }

  /** The bounds are 80 % of the quality and half of the cost that the paper's way reaches. */
  private static List<SearchResult> ablation(SearchTrials trials, Grid grid)
      throws InterruptedException {
    SearchResult reference =
        trials.result(SearchSetup.of(PolicyName.PAPER, ONE_MODEL, grid.samples()));
    Set<PolicyName> policies = new LinkedHashSet<>(List.of(PolicyName.PAPER, PolicyName.RANDOM));
    policies.addAll(grid.policies());
    List<SearchResult> results = new ArrayList<>();
    for (Objective objective :
        List.of(
            new Objective(
                Dimension.COST,
                List.of(new Bound(Dimension.QUALITY, rounded(0.8 * reference.quality().mean())))),
            qualityAtCost(0.5 * reference.cost().mean()))) {
      for (PolicyName policy : policies) {
        for (Algorithm algorithm : List.of(Algorithm.PARETO, Algorithm.GREEDY)) {
          results.addAll(
              withoutAndWithPriors(
                  trials,
                  SearchSetup.of(policy, SIX_MODELS, grid.samples())
                      .with(objective)
                      .with(algorithm)));
        }
      }
    }
    return results;
  }

  private static List<SearchResult> withoutAndWithPriors(SearchTrials trials, SearchSetup setup)
      throws InterruptedException {
    return List.of(trials.result(setup), trials.result(setup.with(PriorKind.SAMPLED)));
  }

  private static Objective qualityAtCost(double usd) {
    return new Objective(Dimension.QUALITY, List.of(new Bound(Dimension.COST, rounded(usd))));
  }

  private static double rounded(double value) {
    return Double.parseDouble(String.format(Locale.ROOT, "%.3g", value));
  }
}
