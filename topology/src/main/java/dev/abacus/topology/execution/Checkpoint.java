package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.model.ExecutionStats;
import java.util.List;

/**
 * The state of a document between two steps of a segment. Execution can resume from it.
 *
 * @param nextStep the index of the next step, of adjacent filters in an order of the document that
 *     of the first; the number of steps if all have finished
 * @param documents the outputs of the steps so far: one, or several after a one-to-many step; never
 *     empty
 * @param fannedOut whether a one-to-many step has finished, even with a single output
 * @param stats the total of the steps so far
 * @param branches the progress of a segment with branches, whose {@code documents} is its input and
 *     whose {@code nextStep} is 0, or the adjacent filters that have passed the document; otherwise
 *     empty
 */
public record Checkpoint(
    int nextStep,
    List<Document> documents,
    boolean fannedOut,
    ExecutionStats stats,
    BranchProgress branches) {

  public Checkpoint {
    documents = List.copyOf(documents);
    if (nextStep < 0) {
      throw new IllegalArgumentException("step " + nextStep);
    }
    if (documents.isEmpty() || (documents.size() > 1 && !fannedOut)) {
      throw new IllegalArgumentException(documents.size() + " documents");
    }
  }

  /** A checkpoint of a segment without branches. */
  public Checkpoint(
      int nextStep, List<Document> documents, boolean fannedOut, ExecutionStats stats) {
    this(nextStep, documents, fannedOut, stats, BranchProgress.NONE);
  }

  /** A checkpoint with one document. */
  public Checkpoint(int nextStep, Document document, ExecutionStats stats) {
    this(nextStep, List.of(document), false, stats);
  }

  /** The state before the first step. */
  public static Checkpoint start(Document document) {
    return new Checkpoint(0, document, ExecutionStats.NONE);
  }
}
