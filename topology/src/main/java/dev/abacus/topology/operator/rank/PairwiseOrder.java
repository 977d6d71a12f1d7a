package dev.abacus.topology.operator.rank;

import dev.abacus.topology.operator.OperatorFailedException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Compares items in pairs.
 *
 * <pre>
 *                     ┌─► better items ──► again, until they are in order
 *   items ──► pivot ──┤   pivot
 *                     └─► worse items  ──► again, if some of them are kept
 * </pre>
 *
 * <p>A round compares the other items of each part with its pivot, all of them concurrently. The
 * pivot is the item at the last place that is kept, or in the middle of a part that is kept whole:
 * the previous order is a first guess. Half of the comparisons show the pivot first, so that a
 * model that prefers a place in the prompt does not prefer an item.
 */
final class PairwiseOrder {

  /** A part of the list that is not in order, from its first place to the one behind its last. */
  private record Part(int from, int to) {

    int pivot(int kept) {
      return kept < to ? kept - 1 : (from + to) / 2;
    }

    /** Whether it has several items, some of which are kept. */
    boolean isOpen(int kept) {
      return to - from > 1 && from < kept;
    }
  }

  private PairwiseOrder() {}

  static List<Integer> of(RankCall call) throws InterruptedException, OperatorFailedException {
    List<Integer> order = call.places();
    int kept = call.kept();
    List<Part> open = List.of(new Part(0, order.size()));
    while (!open.isEmpty()) {
      List<List<Integer>> pairs = new ArrayList<>();
      for (Part part : open) {
        int pivot = order.get(part.pivot(kept));
        others(order, part, pivot).forEach(other -> pairs.add(pair(pivot, other)));
      }
      Iterator<Boolean> firstIsBetter = call.ask(RankPrompt.COMPARISON, pairs).iterator();
      List<Part> next = new ArrayList<>();
      for (Part part : open) {
        int pivot = order.get(part.pivot(kept));
        List<Integer> better = new ArrayList<>();
        List<Integer> worse = new ArrayList<>();
        for (int other : others(order, part, pivot)) {
          boolean otherIsFirst = pair(pivot, other).getFirst() == other;
          (firstIsBetter.next() == otherIsFirst ? better : worse).add(other);
        }
        int middle = part.from() + better.size();
        better.add(pivot);
        better.addAll(worse);
        for (int i = 0; i < better.size(); i++) {
          order.set(part.from() + i, better.get(i));
        }
        next.add(new Part(part.from(), middle));
        next.add(new Part(middle + 1, part.to()));
      }
      next.removeIf(part -> !part.isOpen(kept));
      open = next;
    }
    return order;
  }

  private static List<Integer> others(List<Integer> order, Part part, int pivot) {
    return order.subList(part.from(), part.to()).stream().filter(place -> place != pivot).toList();
  }

  /** The order in which a prompt shows two items. */
  private static List<Integer> pair(int pivot, int other) {
    return (pivot + other) % 2 == 0 ? List.of(pivot, other) : List.of(other, pivot);
  }
}
