package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.TopKSearch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.ExecutionStats;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorFailure;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The k items of a reference that are most similar to the document (paper, section 4.1, "Top-k").
 *
 * <pre>
 *   query fields ──► texts, images ──► embedder ──► index ──► best similarity per item ──► k items
 * </pre>
 *
 * <p>Several queries are merged: an item is as similar as the query that suits it best. Of equally
 * similar items the smaller key comes first.
 */
public final class TopKExecutor implements OperatorExecutor<TopKSearch> {

  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::similarity)
          .reversed()
          .thenComparing(candidate -> candidate.item().id());

  private final QueryEmbedder queries;
  private final References references;

  public TopKExecutor(Embedders embedders, References references) {
    this.queries = new QueryEmbedder(embedders);
    this.references = references;
  }

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, TopKSearch technique, Document document, ModelClient client)
      throws InterruptedException {
    if (!(operator instanceof TopK topK)) {
      return JoinOutputs.unusablePlan(
          "a %s ('%s') is no top-k".formatted(operator.kind(), operator.id()));
    }
    ReferenceView view = references.find(topK.from());
    if (view == null) {
      return JoinOutputs.unusablePlan("there is no reference '" + topK.from() + "'");
    }
    EmbeddingInput values = EmbeddingInput.of(document, topK.query());
    if (values.isEmpty()
        && topK.query().stream().anyMatch(field -> document.get(field).isArray())) {
      // A list of things to search for that turned out to be empty: so is what is found.
      ArrayNode nothing = JsonNodeFactory.instance.arrayNode();
      return new OperatorOutcome.Kept(document.with(topK.writes(), nothing), ExecutionStats.NONE);
    }
    if (values.isEmpty()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument(
              "the document has nothing to search for in " + String.join(", ", topK.query())),
          ExecutionStats.NONE);
    }
    return switch (queries.embed(technique.embedder(), values, view)) {
      case QueryEmbedder.Answer.NotEmbedded(OperatorFailure failure, ExecutionStats stats) ->
          new OperatorOutcome.Failed(failure, stats);
      case QueryEmbedder.Answer.Embedded(List<Embedding> embedded, ExecutionStats stats) ->
          new OperatorOutcome.Kept(
              document.with(topK.writes(), search(view, technique, embedded)), stats);
    };
  }

  private static ArrayNode search(
      ReferenceView view, TopKSearch technique, List<Embedding> embedded) {
    Map<String, Candidate> best = new HashMap<>();
    for (Embedding query : embedded) {
      for (Candidate found : view.nearest(technique.embedder(), query, technique.k())) {
        best.merge(found.item().id(), found, (a, b) -> a.similarity() >= b.similarity() ? a : b);
      }
    }
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    best.values().stream()
        .sorted(BEST_FIRST)
        .limit(technique.k())
        .forEach(candidate -> items.add(candidate.item().document().toJson()));
    return items;
  }
}
