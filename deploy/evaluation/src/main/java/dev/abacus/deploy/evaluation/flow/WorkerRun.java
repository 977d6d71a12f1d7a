package dev.abacus.deploy.evaluation.flow;

import dev.abacus.deploy.evaluation.flow.RecoveryOptions.Takeover;

/**
 * What the death of a worker cost.
 *
 * @param secondsToFirstResult from the kill to the first result that is seen after it; results of
 *     transactions that were committed before do not count. Where another worker ran beside it,
 *     that may be one of its own
 * @param secondsToAllPartitions until there was a result of a document that was sent after the kill
 *     from every partition of the source
 * @param secondsToCaughtUp until no more documents were waiting than before the kill
 * @param documents that were sent in all
 * @param waitingAtKill documents that had been sent and had not come out when the worker was killed
 * @param calls of models in all
 * @param callsRepeated calls that were made a second time
 * @param lost documents that neither gave a result nor a dead letter
 * @param duplicates results and dead letters beyond one per document
 */
public record WorkerRun(
    Takeover takeover,
    double secondsToFirstResult,
    double secondsToAllPartitions,
    double secondsToCaughtUp,
    long documents,
    long waitingAtKill,
    long calls,
    long callsRepeated,
    long lost,
    long duplicates,
    long deadLetters) {

  /** Whether every document was done once. */
  public boolean exact() {
    return lost == 0 && duplicates == 0 && deadLetters == 0;
  }
}
