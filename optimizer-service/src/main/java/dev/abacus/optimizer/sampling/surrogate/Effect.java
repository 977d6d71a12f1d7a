package dev.abacus.optimizer.sampling.surrogate;

/**
 * The levels of a hierarchical analysis of variance over implementations. Each level has a
 * variance, which is learned from the samples.
 */
enum Effect {
  /** The mean of all implementations. */
  COMMON,
  /** The technique. */
  TECHNIQUE,
  /** The models that are called, in any role, weighted by their share of the calls. */
  MODELS,
  /** The model that gives the answer. */
  FINAL_MODEL,
  /** The model that gives the answer, per technique. */
  TECHNIQUE_AND_FINAL_MODEL,
  /** A model in a role of a technique. */
  ROLE,
  /** A parameter of a technique; numbers by value and by trend. */
  PARAMETER,
  /** The interaction of two roles or parameters. */
  PAIR,
  /** All models in their roles, per technique, with any other parameters. */
  SAME_MODELS,
  /** The service tiers of the models, by their share of the calls; of latency only. */
  TIER,
  /** The implementation itself. */
  OWN
}
