package dev.abacus.topology.operator.join;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression.Value;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.aggregate.GroupKey;
import dev.abacus.topology.model.Embedding;
import dev.abacus.topology.operator.OperatorFailedException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The items for which the condition of a join in code holds with a document. The others are no
 * matches, so no technique compares them.
 */
public final class MatchableItems extends ForwardingReferenceView {

  private final List<Candidate> items;
  private final Set<String> ids;

  private MatchableItems(ReferenceView view, List<Candidate> items) {
    super(view);
    this.items = items;
    this.ids = items.stream().map(item -> item.item().id()).collect(Collectors.toSet());
  }

  /**
   * Evaluates the condition. Equal fields are found by an index; {@code where} is evaluated for the
   * items that are left.
   *
   * @throws OperatorFailedException if {@code where} has no value for one of them
   */
  static ReferenceView of(ReferenceView view, ReferenceJoin join, Document document)
      throws OperatorFailedException {
    PairCondition pairs = join.pairs();
    List<Candidate> left = equal(view, pairs, document);
    if (pairs.where() == null) {
      return new MatchableItems(view, left);
    }
    List<Candidate> items = new ArrayList<>();
    for (Candidate item : left) {
      switch (pairs.where().evaluate(document, item.item().document())) {
        case Value.Decided(boolean holds) when holds -> items.add(item);
        case Value.Decided _ -> {}
        case Value.Undecided(String reason) ->
            throw OperatorFailedException.unusableDocument(
                "'where' of join '%s' with item '%s' of '%s': %s"
                    .formatted(join.id(), item.item().id(), join.with(), reason));
      }
    }
    return new MatchableItems(view, items);
  }

  private static List<Candidate> equal(ReferenceView view, PairCondition pairs, Document document) {
    if (pairs.on().isEmpty()) {
      return view.candidates();
    }
    ArrayNode values = GroupKey.of(document, pairs.documentFields());
    return hasNull(values) ? List.of() : view.equal(pairs.itemFields(), values);
  }

  /** Whether values lack one, so that they equal nothing. */
  public static boolean hasNull(ArrayNode values) {
    return values.valueStream().anyMatch(JsonNode::isNull);
  }

  /** Whether the condition in code is false for a pair. */
  public static boolean isRejected(PairCondition pairs, Document document, Document item) {
    ArrayNode values = GroupKey.of(document, pairs.documentFields());
    return hasNull(values)
        || !values.equals(GroupKey.of(item, pairs.itemFields()))
        || (pairs.where() != null
            && pairs.where().evaluate(document, item) instanceof Value.Decided(boolean holds)
            && !holds);
  }

  @Override
  public int size() {
    return items.size();
  }

  @Override
  public List<Candidate> candidates() {
    return items;
  }

  @Override
  public List<Candidate> candidates(String embedder, Embedding query, double least) {
    return view.candidates(embedder, query, least).stream()
        .filter(candidate -> ids.contains(candidate.item().id()))
        .toList();
  }

  @Override
  public List<Candidate> nearest(String embedder, Embedding query, int k) {
    return candidates(embedder, query, -2).stream()
        .sorted(SimilaritySearch.BEST_FIRST)
        .limit(k)
        .toList();
  }
}
