package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a pool of evidence: implementations of one operator with the same embedding model
 * learn from the same evidence.
 *
 * @param operator id of the logical operator
 * @param embedder name of the embedding model
 */
public record EvidenceKey(String operator, String embedder) {

  /** The pool that a sample contributes to; null if its implementation is not learnable. */
  public static @Nullable EvidenceKey of(SampleTask task) {
    return of(task.operator().id(), task.physical());
  }

  /** The pool that an implementation learns from; null if it is not learnable. */
  public static @Nullable EvidenceKey of(String operator, PhysicalOperator physical) {
    return physical instanceof Learnable learnable
        ? new EvidenceKey(operator, learnable.embedder())
        : null;
  }
}
