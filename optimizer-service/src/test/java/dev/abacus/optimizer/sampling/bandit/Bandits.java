package dev.abacus.optimizer.sampling.bandit;

import dev.abacus.optimizer.sampling.Reservoir;

/** Policies of the tests. */
final class Bandits {

  private Bandits() {}

  /** Without priors and with the paper's parameters. */
  static BanditSampling seeded(long seed) {
    return new BanditSampling(
        Reservoir.seeded(seed), BanditSampling.FRONTIER_SIZE, BanditSampling.NEW_ARM_EXAMPLES);
  }
}
