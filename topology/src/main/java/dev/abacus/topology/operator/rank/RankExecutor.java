package dev.abacus.topology.operator.rank;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.operator.OperatorFailedException;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.prompt.DocumentMessage;
import dev.abacus.topology.operator.prompt.Execution;
import java.util.List;

/** Orders the items of a list. */
public final class RankExecutor {

  private RankExecutor() {}

  /**
   * Runs the operator on a document.
   *
   * @throws OperatorFailedException if the technique cannot be completed
   */
  public static OperatorOutcome run(Execution execution, Ranking technique)
      throws InterruptedException, OperatorFailedException {
    if (!(execution.operator() instanceof SemanticRank rank)) {
      throw OperatorFailedException.isNot(execution.operator(), "a rank");
    }
    Document document = execution.document();
    if (!(document.get(rank.items()) instanceof ArrayNode list)) {
      throw OperatorFailedException.unusableDocument(
          "the field '%s' is not a list".formatted(rank.items()));
    }
    Document shown = RankPrompt.shown(rank, document);
    String invalid = DocumentMessage.invalidMedia(shown.with(rank.items(), list));
    if (invalid != null) {
      throw OperatorFailedException.unusableDocument(invalid);
    }
    RankCall call =
        new RankCall(rank, shown, list.valueStream().toList(), technique.model(), execution);
    List<Integer> order = list.size() < 2 ? call.places() : order(technique, call);
    ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
    order.stream().limit(call.kept()).forEach(place -> ordered.add(list.get(place)));
    return new OperatorOutcome.Kept(document.with(rank.writes(), ordered), execution.stats());
  }

  /**
   * The places of at least two items, best first.
   *
   * @return a permutation of the places; only the first {@link RankCall#kept} need be in order
   */
  private static List<Integer> order(Ranking technique, RankCall call)
      throws InterruptedException, OperatorFailedException {
    return switch (technique) {
      case PointwiseRanking _ -> PointwiseOrder.of(call);
      case ListwiseRanking listwise -> ListwiseOrder.of(listwise, call);
      case PairwiseRanking _ -> PairwiseOrder.of(call);
    };
  }
}
