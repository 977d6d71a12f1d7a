package dev.abacus.topology.operator;

import dev.abacus.schemas.observation.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * The result of collecting evidence from an input.
 *
 * @param stats cost and latency of the features
 * @param evidence the answer in it is open if only the label has it; null if there is no evidence
 * @param failure why there is no evidence; null if there is
 */
public record EvidenceOutcome(
    ExecutionStats stats, @Nullable Evidence evidence, @Nullable OperatorFailure failure) {}
