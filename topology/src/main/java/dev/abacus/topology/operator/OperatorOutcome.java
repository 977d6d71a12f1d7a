package dev.abacus.topology.operator;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What an operator made of a document. */
public sealed interface OperatorOutcome {

  /** What it took. */
  ExecutionStats stats();

  /** What is to be learnt from it; null if nothing. */
  @Nullable Evidence evidence();

  /**
   * The document goes on, with what the operator wrote.
   *
   * @param documents one; or any number if the operator is a one-to-many map or a join
   * @param evidence what is to be learnt from it; null if nothing
   */
  record Kept(List<Document> documents, ExecutionStats stats, @Nullable Evidence evidence)
      implements OperatorOutcome {
    public Kept {
      documents = List.copyOf(documents);
    }

    /** One document, and nothing to be learnt. */
    public Kept(Document document, ExecutionStats stats) {
      this(List.of(document), stats, null);
    }

    /**
     * The one document of an operator that makes one.
     *
     * @throws IllegalStateException if there is none, or there are several
     */
    public Document document() {
      if (documents.size() != 1) {
        throw new IllegalStateException(documents.size() + " outputs where one is expected");
      }
      return documents.getFirst();
    }
  }

  /**
   * A filter's condition does not hold. Said by a model or a classifier that is sure, never
   * concluded from a failure.
   */
  record Dropped(ExecutionStats stats, @Nullable Evidence evidence) implements OperatorOutcome {

    /** Nothing to be learnt. */
    public Dropped(ExecutionStats stats) {
      this(stats, null);
    }
  }

  /** There is no valid answer, retries and repairs included. */
  record Failed(OperatorFailure failure, ExecutionStats stats) implements OperatorOutcome {
    public Failed {
      Objects.requireNonNull(failure, "failure");
    }

    @Override
    public @Nullable Evidence evidence() {
      return null;
    }

    /** Calls of chat models that were made. */
    public int attempts() {
      return stats.calls();
    }
  }
}
