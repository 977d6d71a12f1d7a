package dev.abacus.topology.scoring;

/** What a judge said. */
sealed interface Judgement {

  /** USD. */
  double cost();

  /**
   * A score in [0, 1].
   *
   * @param cost 0 if it was known already
   */
  record Known(double score, double cost) implements Judgement {}

  /** The judge gave none, retries included: never a 0, never a 1. */
  record Unknown(String reason, double cost) implements Judgement {}
}
