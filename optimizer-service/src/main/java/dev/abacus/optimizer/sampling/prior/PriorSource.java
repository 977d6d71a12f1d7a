package dev.abacus.optimizer.sampling.prior;

import dev.abacus.schemas.input.Keyword;

/** Sources of priors for programs without priors of a user. */
public enum PriorSource implements Keyword {
  /** What the searches for other programs of the cluster have learned. */
  LEARNT,
  /** Published data of models: benchmark quality, token prices and token times. */
  NAIVE;
}
