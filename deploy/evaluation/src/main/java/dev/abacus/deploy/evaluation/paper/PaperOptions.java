package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * How much is run.
 *
 * @param policies that search
 * @param budgets samples per semantic operator; the largest up to the paper's 50 is what all but
 *     the figure of priors uses
 * @param progress is told what is under way
 */
record PaperOptions(List<PolicyName> policies, List<Integer> budgets, Consumer<String> progress) {

  /** What the paper compares systems with (section 4.3). */
  static final List<String> ONE_MODEL = List.of("gpt-4o-mini");

  /** What the paper's other experiments use (section 4.1). */
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

  /** Samples per semantic operator where the budget does not vary. */
  int samples() {
    return budgets.stream()
        .filter(budget -> budget <= PAPER_SAMPLES)
        .reduce((_, last) -> last)
        .orElse(budgets.getFirst());
  }

  /** As the product would, with one of the policies. */
  SearchSetup setup(PolicyName policy, Objective objective, List<String> models) {
    return SearchSetup.of(policy, objective, models, samples());
  }

  /** Highest quality at that cost per document. */
  static Objective qualityAtCost(double usd) {
    return new Objective(Dimension.QUALITY, List.of(new Bound(Dimension.COST, usd)));
  }

  /** How a policy is called in tables. */
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
