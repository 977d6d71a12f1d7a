package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.search.cost.Priors;
import java.util.Locale;

/** The priors that the paper compares (section 4.4). */
enum Belief {
  NONE,
  NAIVE,
  SAMPLED;

  Priors priors(Trials trials) throws InterruptedException {
    return switch (this) {
      case NONE -> Priors.NONE;
      case NAIVE -> trials.naivePriors(Scope.SIX_MODELS);
      case SAMPLED -> trials.sampledPriors(Scope.SIX_MODELS);
    };
  }

  String label() {
    return this == NONE ? "no priors" : name().toLowerCase(Locale.ROOT) + " priors";
  }
}
