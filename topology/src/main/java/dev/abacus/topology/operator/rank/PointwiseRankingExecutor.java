package dev.abacus.topology.operator.rank;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.operator.OperatorExecutor;
import dev.abacus.topology.operator.OperatorOutcome;
import java.util.Comparator;
import java.util.List;

/**
 * Grades every item on its own and orders the items by their grades.
 *
 * <pre>
 *   item 1 ──► model ──► 40 ─┐
 *   item 2 ──► model ──► 95 ─┼─► 2, 3, 1
 *   item 3 ──► model ──► 70 ─┘
 * </pre>
 *
 * <p>Items with equal grades keep their order.
 */
public final class PointwiseRankingExecutor implements OperatorExecutor<PointwiseRanking> {

  @Override
  public OperatorOutcome execute(
      LogicalOperator operator, PointwiseRanking technique, Document document, ModelClient client)
      throws InterruptedException {
    return RankCall.run(
        operator,
        technique.model(),
        document,
        client,
        call -> {
          List<Integer> places = call.places();
          List<Integer> grades = call.ask(RankPrompt.GRADE, places.stream().map(List::of).toList());
          places.sort(Comparator.comparing(grades::get, Comparator.reverseOrder()));
          return places;
        });
  }
}
