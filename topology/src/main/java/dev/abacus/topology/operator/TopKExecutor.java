package dev.abacus.topology.operator;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PhysicalOperator.TopKSearch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.model.ModelClient;
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
final class TopKExecutor implements OperatorExecutor<TopKSearch> {

  private static final Comparator<Candidate> BEST_FIRST =
      Comparator.comparingDouble(Candidate::similarity)
          .reversed()
          .thenComparing(candidate -> candidate.item().id());

  private final Queries queries;
  private final References references;

  TopKExecutor(Embedders embedders, References references) {
    this.queries = new Queries(embedders);
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
    QueryValues values = QueryValues.of(document, topK.query());
    if (values.isEmpty()
        && topK.query().stream().anyMatch(field -> document.get(field).isArray())) {
      // A list of things to search for that turned out to be empty: so is what is found.
      ArrayNode nothing = JsonNodeFactory.instance.arrayNode();
      return new OperatorOutcome.Kept(document.with(topK.writes(), nothing), Expense.NONE);
    }
    if (values.isEmpty()) {
      return new OperatorOutcome.Failed(
          new OperatorFailure.UnusableDocument(
              "the document has nothing to search for in " + String.join(", ", topK.query())),
          Expense.NONE);
    }
    return switch (queries.embed(technique.embedder(), values, view)) {
      case Queries.Answer.NotEmbedded(OperatorFailure failure, Expense expense) ->
          new OperatorOutcome.Failed(failure, expense);
      case Queries.Answer.Embedded(List<Embedding> embedded, Expense expense) ->
          new OperatorOutcome.Kept(
              document.with(topK.writes(), search(view, technique, embedded)), expense);
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
