package dev.abacus.optimizer.estimate;

/**
 * Something unknown that moves measurements or estimates: a random variable with mean 0 and
 * variance 1, independent of all others. Estimates that depend on the same effect err together.
 *
 * @param scope id of the operator or source that it belongs to; {@link #ALL} for all operators
 * @param name unique within kind and scope
 */
public record RandomEffect(Kind kind, String scope, String name) {

  /** The scope of what all operators have in common. */
  public static final String ALL = "";

  /** What an effect belongs to. */
  public enum Kind {
    /** A property that implementations of an operator share, or that one has alone. */
    IMPLEMENTATION,
    /** What an example adds to the scores of all implementations. */
    EXAMPLE,
    /** What a model adds on an example. */
    MODEL_AND_EXAMPLE,
    /** What a call for several documents adds to their scores. */
    CALL,
    /** By how much the judge's scores are higher than those by labels. */
    JUDGE,
    /** The rest of one measurement. */
    NOISE,
    /** The mean size of the documents of a source. */
    SIZE,
    /** The part of the requests that the answer store answers. */
    REUSE,
    /** The part of prompts that the caches of providers have. */
    CACHE,
    /** The number of outputs per input. */
    OUTPUTS
  }
}
