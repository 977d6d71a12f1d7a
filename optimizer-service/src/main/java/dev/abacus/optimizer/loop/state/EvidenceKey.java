package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Learnable;
import org.jspecify.annotations.Nullable;

/**
 * Identifies a pool of evidence: implementations of one operator with the same features learn from
 * the same evidence.
 *
 * @param operator id of the logical operator
 * @param features name of the embedding model, or {@code answer:MODEL} ({@link Learnable#features})
 */
public record EvidenceKey(String operator, String features) {

  /** Examples embedded per operator, embedder and wave: no more than a worker does in passing. */
  public static final int BATCH = 128;

  /** Calls of a proxy per operator and wave: few, to notice early that they yield no evidence. */
  static final int PAID_BATCH = 32;

  /** Whether a chat model is paid for the evidence. */
  public boolean isPaid() {
    return features.startsWith(Learnable.ANSWER_OF);
  }

  /** Maximum number of examples per wave. A full batch means that more batches follow. */
  public int batch() {
    return isPaid() ? PAID_BATCH : BATCH;
  }

  /** The pool that a sample contributes to; null if its implementation is not learnable. */
  public static @Nullable EvidenceKey of(SampleTask task) {
    return of(task.operator().id(), task.physical());
  }

  /** The pool that an implementation learns from; null if it is not learnable. */
  public static @Nullable EvidenceKey of(String operator, PhysicalOperator physical) {
    return physical instanceof Learnable learnable
        ? new EvidenceKey(operator, learnable.features())
        : null;
  }
}
