package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.search.cost.Priors;
import java.util.Locale;

/** The kinds of priors that the paper compares (section 4.4). */
enum PriorKind {
  NONE,
  NAIVE,
  SAMPLED;

  Priors priors(SearchTrials trials) throws InterruptedException {
    return switch (this) {
      case NONE -> Priors.NONE;
      case NAIVE -> trials.naivePriors(PaperOptions.SIX_MODELS);
      case SAMPLED -> trials.sampledPriors(PaperOptions.SIX_MODELS);
    };
  }

  String label() {
    return this == NONE ? "no priors" : name().toLowerCase(Locale.ROOT) + " priors";
  }
}
