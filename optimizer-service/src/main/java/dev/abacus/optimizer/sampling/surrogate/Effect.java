package dev.abacus.optimizer.sampling.surrogate;

/**
 * The levels of an analysis of variance over implementations, from what all share to what is one's
 * own. Each level has a variance of its own, learnt from the samples.
 */
enum Effect {
  /** What all implementations have in common. */
  COMMON,
  /** The technique. */
  TECHNIQUE,
  /** The models that are called, whatever their roles, by their share of the calls. */
  MODELS,
  /** The model that gives the answer. */
  FINAL_MODEL,
  /** The model that gives the answer, under this technique. */
  TECHNIQUE_AND_FINAL_MODEL,
  /** A model in a role of a technique. */
  ROLE,
  /** A parameter of a technique; numbers by value and by trend. */
  PARAMETER,
  /** Two of these together. */
  PAIR,
  /** All models in their roles under a technique, whatever the other parameters. */
  SAME_MODELS,
  /** What nothing but the implementation itself explains. */
  OWN
}
