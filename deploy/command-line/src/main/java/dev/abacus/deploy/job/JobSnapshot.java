package dev.abacus.deploy.job;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How far a job is.
 *
 * @param sent documents that stand on the source topic
 * @param results documents with a result
 * @param filtered documents that filters dropped
 * @param deadLetters documents that failed
 * @param pending documents that instances hold
 * @param instances data-plane instances that report of the program
 * @param costUsd USD spent on these documents
 * @param searchCostUsd USD spent on samples since the job began
 * @param resultsByEpoch how many results each plan gave
 * @param activeEpoch what instances stamp new documents with; null before the first plan
 * @param search what the optimizer last reported; null if nothing
 */
public record JobSnapshot(
    int sent,
    int results,
    int filtered,
    int deadLetters,
    long pending,
    int instances,
    double costUsd,
    double searchCostUsd,
    Map<Long, Integer> resultsByEpoch,
    @Nullable Long activeEpoch,
    @Nullable JsonNode search) {

  public JobSnapshot {
    resultsByEpoch = Map.copyOf(resultsByEpoch);
  }

  /** Documents of which nothing is known yet. */
  public int open() {
    return sent - done();
  }

  /** Documents that are accounted for. */
  public int done() {
    return results + filtered + deadLetters;
  }
}
