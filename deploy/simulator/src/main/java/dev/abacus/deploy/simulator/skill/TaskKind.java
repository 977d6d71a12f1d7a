package dev.abacus.deploy.simulator.skill;

/** What a model is asked to do. A model's ability varies a little from kind to kind. */
public enum TaskKind {
  /** Find text that stands in the document. */
  EXTRACT,
  /** Derive a value from the document as a whole. */
  CLASSIFY,
  /** Decide a condition. */
  FILTER,
  /** Choose among proposals. */
  AGGREGATE,
  /** Say what is wrong with a draft. */
  CRITIQUE,
  /** Repair a draft. */
  REFINE,
  /** Score an output. */
  JUDGE
}
