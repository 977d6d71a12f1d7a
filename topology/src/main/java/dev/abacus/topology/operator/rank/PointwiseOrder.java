package dev.abacus.topology.operator.rank;

import dev.abacus.topology.operator.OperatorFailedException;
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
final class PointwiseOrder {

  private PointwiseOrder() {}

  static List<Integer> of(RankCall call) throws InterruptedException, OperatorFailedException {
    List<Integer> places = call.places();
    List<Integer> grades = call.ask(RankPrompt.GRADE, places.stream().map(List::of).toList());
    places.sort(Comparator.comparing(grades::get, Comparator.reverseOrder()));
    return places;
  }
}
