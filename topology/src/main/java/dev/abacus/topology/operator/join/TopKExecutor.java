package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.List;

/**
 * Finds the k items of a reference that are most similar to the document (paper, section 4.1,
 * "Top-k").
 *
 * <pre>
 *   query fields ──► texts, images ──► embedder ──► index ──► best similarity per item ──► k items
 * </pre>
 *
 * <p>With several queries, the similarity of an item is the maximum over the queries. Equally
 * similar items are ordered by key.
 */
public final class TopKExecutor {

  private TopKExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(
      Execution execution, TopKSearch technique, References references)
      throws InterruptedException, OperatorFailedException {
    if (!(execution.operator() instanceof TopK topK)) {
      throw OperatorFailedException.isNot(execution.operator(), "a top-k");
    }
    Document document = execution.document();
    ReferenceView reference = references.require(topK.from());
    EmbeddingInput input = EmbeddingInput.of(document, topK.query());
    // An empty list of queries has an empty result; a missing query is a failure.
    if (input.isEmpty()
        && topK.query().stream().noneMatch(field -> document.get(field).isArray())) {
      throw OperatorFailedException.unusableDocument(
          "the document has nothing to search for in " + String.join(", ", topK.query()));
    }
    List<Candidate> found =
        SimilaritySearch.nearest(execution, technique.embedder(), technique.k(), input, reference);
    return new OperatorOutcome.Kept(document.with(topK.writes(), items(found)), execution.stats());
  }

  private static ArrayNode items(List<Candidate> found) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    found.forEach(candidate -> items.add(candidate.item().document().toJson()));
    return items;
  }
}
