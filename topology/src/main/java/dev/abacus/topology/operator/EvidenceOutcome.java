package dev.abacus.topology.operator;

import dev.abacus.schemas.observation.Evidence;
import org.jspecify.annotations.Nullable;

/**
 * What came of embedding an input for the sake of what it teaches.
 *
 * @param stats of embedding
 * @param evidence without the right answer where only a label can tell it; null if there is none
 * @param failure why there is none; null if there is
 */
public record EvidenceOutcome(
    ExecutionStats stats, @Nullable Evidence evidence, @Nullable String failure) {

  public static EvidenceOutcome by(Evidence evidence, ExecutionStats stats) {
    return new EvidenceOutcome(stats, evidence, null);
  }

  public static EvidenceOutcome nothing(String reason, ExecutionStats stats) {
    return new EvidenceOutcome(stats, null, reason);
  }
}
