package dev.abacus.topology.model.admission;

import dev.abacus.topology.model.ModelFailure;

/**
 * Decides whether a call that keeps failing is itself the reason: at least {@value #LEAST_TRIES}
 * attempts ended in a server error, a timeout or a lost connection, other calls of the model were
 * answered between them, and at the failure rate of those other calls so many failures in a row
 * have a probability below {@value #CHANCE}.
 *
 * <pre>
 *   failure rate of other calls  0 of 20   1 of 10   1 of 4   1 of 2   all
 *   attempts until the verdict         5         8       12       21   never
 * </pre>
 *
 * <p>An attempt counts only if another call was answered since the attempt before. So no call is
 * given up during an outage. Not thread-safe: it belongs to one call.
 */
final class LoneFailure {

  static final int LEAST_TRIES = 5;

  /** Maximum probability that a call is given up although the provider is the reason. */
  static final double CHANCE = 1e-6;

  /**
   * The outcomes of all calls of a model so far.
   *
   * @param answers calls that were answered
   * @param faults calls that ended in a transient fault of the provider
   */
  record Tally(long answers, long faults) {}

  private final Tally start;
  private long answersBefore;
  private int tries;
  private int own;

  /** A call that starts at these outcomes. */
  LoneFailure(Tally start) {
    this.start = start;
    this.answersBefore = start.answers();
  }

  /** Takes in a failed attempt, which the tally contains. Returns whether the call is at fault. */
  boolean failed(Tally now) {
    own++;
    if (now.answers() > answersBefore) {
      tries++;
      answersBefore = now.answers();
    }
    double answers = now.answers() - start.answers();
    double faults = Math.max(0, now.faults() - start.faults() - own);
    // Laplace's rule of succession: a rate of 0 needs evidence too.
    double rate = (faults + 1) / (answers + faults + 2);
    return tries >= LEAST_TRIES && Math.pow(rate, tries) < CHANCE;
  }

  /** The failure of the call. */
  ModelFailure.FailsAlone failure(ModelFailure last) {
    return new ModelFailure.FailsAlone(
        "%d attempts failed while other calls of the model were answered; the last: %s"
            .formatted(own, last.message()));
  }
}
