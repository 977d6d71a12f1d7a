package dev.abacus.topology.execution;

import dev.abacus.schemas.document.Document;
import dev.abacus.topology.operator.ExecutionStats;
import java.util.List;
import java.util.Objects;

/**
 * How far a document has come in the steps of a segment.
 *
 * @param nextStep index of the step to run next; the number of steps if all are done
 * @param documents what the steps so far made of it: one, or several once a one-to-many step has
 *     run; at least one
 * @param fannedOut whether a one-to-many step has run, even if it made one output
 * @param stats what the steps so far took
 */
public record Checkpoint(
    int nextStep, List<Document> documents, boolean fannedOut, ExecutionStats stats) {

  public Checkpoint {
    documents = List.copyOf(documents);
    Objects.requireNonNull(stats, "stats");
    if (nextStep < 0) {
      throw new IllegalArgumentException("step " + nextStep);
    }
    if (documents.isEmpty() || (documents.size() > 1 && !fannedOut)) {
      throw new IllegalArgumentException(documents.size() + " documents");
    }
  }

  /** One document. */
  public Checkpoint(int nextStep, Document document, ExecutionStats stats) {
    this(nextStep, List.of(document), false, stats);
  }

  /** A document that no step has seen. */
  public static Checkpoint start(Document document) {
    return new Checkpoint(0, document, ExecutionStats.NONE);
  }
}
