package dev.abacus.topology.operator;

import dev.abacus.schemas.observation.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * The result of collecting evidence from an input.
 *
 * @param stats cost and latency of the features
 * @param evidence the answer in it is open if only the label has it; null if there is no evidence
 * @param failure why there is no evidence; null if there is
 * @param cause the failure of the embedder or the proxy; null if it is not the reason
 */
public record EvidenceOutcome(
    ExecutionStats stats,
    @Nullable Evidence evidence,
    @Nullable String failure,
    @Nullable OperatorFailure cause) {

  /** With evidence. */
  public static EvidenceOutcome of(Evidence evidence, ExecutionStats stats) {
    return new EvidenceOutcome(stats, evidence, null, null);
  }

  /** Without evidence. */
  public static EvidenceOutcome none(String reason, ExecutionStats stats) {
    return new EvidenceOutcome(stats, null, reason, null);
  }

  /** Without evidence, because the embedder or the proxy failed. */
  public static EvidenceOutcome failed(OperatorFailure failure, ExecutionStats stats) {
    return new EvidenceOutcome(stats, null, failure.message(), failure);
  }
}
