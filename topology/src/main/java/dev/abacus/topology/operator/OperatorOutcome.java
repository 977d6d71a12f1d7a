package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.topology.model.ExecutionStats;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The result of an operator on a document. */
public sealed interface OperatorOutcome {

  /** Cost, latency and calls. */
  ExecutionStats stats();

  /** What a technique can learn from this outcome; null if nothing. */
  @Nullable Evidence evidence();

  /** The same outcome with evidence; a failure has none. */
  default OperatorOutcome withEvidence(Evidence evidence) {
    return switch (this) {
      case Kept kept -> new Kept(kept.documents, kept.stats, evidence);
      case Dropped dropped -> new Dropped(dropped.stats, evidence);
      case Failed failed -> failed;
    };
  }

  /**
   * The operator has outputs.
   *
   * @param documents one; any number for a one-to-many map or a join
   * @param evidence null if there is none
   */
  record Kept(List<Document> documents, ExecutionStats stats, @Nullable Evidence evidence)
      implements OperatorOutcome {
    public Kept {
      documents = List.copyOf(documents);
    }

    /** One document without evidence. */
    public Kept(Document document, ExecutionStats stats) {
      this(List.of(document), stats, null);
    }

    /**
     * The only output.
     *
     * @throws IllegalStateException if there are none or several
     */
    public Document document() {
      if (documents.size() != 1) {
        throw new IllegalStateException(documents.size() + " outputs where one is expected");
      }
      return documents.getFirst();
    }
  }

  /**
   * The condition of a filter or of a pair does not hold, by the answer of a model or a confident
   * classifier. A failure never drops a document.
   *
   * @param evidence null if there is none
   */
  record Dropped(ExecutionStats stats, @Nullable Evidence evidence) implements OperatorOutcome {

    /** Without evidence. */
    public Dropped(ExecutionStats stats) {
      this(stats, null);
    }
  }

  /** The operator has no valid answer after all retries and repairs. */
  record Failed(OperatorFailure failure, ExecutionStats stats) implements OperatorOutcome {
    @Override
    public @Nullable Evidence evidence() {
      return null;
    }

    /** The number of calls of chat models. */
    public int attempts() {
      return stats.calls();
    }
  }
}
