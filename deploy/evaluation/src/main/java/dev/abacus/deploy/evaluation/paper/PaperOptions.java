package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Options of the paper's experiments.
 *
 * @param policies sampling policies to compare
 * @param budgets samples per semantic operator. The figure of priors uses all budgets; the other
 *     experiments use the largest budget up to the paper's 50
 * @param progress receives a description of each step
 */
record PaperOptions(List<PolicyName> policies, List<Integer> budgets, Consumer<String> progress) {

  /** The model of the comparison between systems (section 4.3). */
  static final List<String> ONE_MODEL = List.of("gpt-4o-mini");

  /** The models of the other experiments (section 4.1). */
  static final List<String> SIX_MODELS =
      List.of(
          "gpt-4o",
          "gpt-4o-mini",
          "llama-3.1-8b",
          "llama-3.3-70b",
          "mixtral-8x7b",
          "deepseek-r1-distill-qwen-1.5b");

  static final Objective QUALITY = Objective.MAXIMIZE_QUALITY;

  private static final int PAPER_SAMPLES = 50;

  PaperOptions {
    policies = List.copyOf(policies);
    budgets = budgets.stream().sorted().distinct().toList();
  }

  /** Returns the samples per semantic operator of experiments with a fixed budget. */
  int samples() {
    return budgets.stream()
        .filter(budget -> budget <= PAPER_SAMPLES)
        .reduce((_, last) -> last)
        .orElse(budgets.getFirst());
  }

  /** Returns the default search configuration with the given policy. */
  SearchSetup setup(PolicyName policy, Objective objective, List<String> models) {
    return SearchSetup.of(policy, objective, models, samples());
  }

  /** Maximizes quality under a bound on the cost per document. */
  static Objective qualityAtCost(double usd) {
    return new Objective(Dimension.QUALITY, List.of(new Bound(Dimension.COST, usd)));
  }

  /** Returns the name of a policy in tables. */
  static String name(PolicyName policy) {
    return switch (policy) {
      case SURROGATE -> "surrogate (ours)";
      case PAPER -> "the paper's bandit";
      case RANDOM -> "random";
    };
  }

  static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }
}
