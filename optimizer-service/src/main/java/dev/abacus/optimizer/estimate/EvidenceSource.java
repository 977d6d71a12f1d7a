package dev.abacus.optimizer.estimate;

import dev.abacus.schemas.program.LogicalOperator;
import java.util.Collection;

/**
 * A kind of evidence beside the samples of the search, such as runs of whole plans. Estimates of
 * plans use it; the sampling policy, which decides what to sample next, does not.
 */
@FunctionalInterface
public interface EvidenceSource {

  /**
   * The evidence of an operator. Ids of evidence are unique over all sources.
   *
   * @return in an order that does not depend on when it arrived
   */
  Collection<Evidence> of(LogicalOperator operator);
}
