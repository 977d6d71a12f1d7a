package dev.abacus.topology.operator.rank;

import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.topology.operator.OperatorFailedException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Orders windows of items, from the end of the list to its beginning.
 *
 * <pre>
 *   window 4 of a b c d e f:   c d e f ──► model ──► f c e d
 *                              a b f c ──► model ──► f a b c     f and a are in order
 * </pre>
 *
 * <p>Windows overlap by half, so a pass moves the best half of a window to the beginning of the
 * list. Further passes over the rest follow until the items to keep are in order. An answer may
 * lack items, repeat them, or contain other numbers: the first mention of an item counts, and items
 * without a mention follow in their previous order. An answer that names no item is a failure.
 */
final class ListwiseOrder {

  private ListwiseOrder() {}

  static List<Integer> of(ListwiseRanking technique, RankCall call)
      throws InterruptedException, OperatorFailedException {
    List<Integer> order = call.places();
    int fixed = 0;
    while (fixed < call.kept() && fixed < order.size() - 1) {
      int start = order.size() - technique.window() + technique.step();
      do {
        start = Math.max(fixed, start - technique.step());
        int end = Math.min(order.size(), start + technique.window());
        reorder(order.subList(start, end), call);
      } while (start > fixed);
      fixed += order.size() - fixed <= technique.window() ? technique.window() : technique.step();
    }
    return order;
  }

  private static void reorder(List<Integer> window, RankCall call)
      throws InterruptedException, OperatorFailedException {
    List<Integer> shown = List.copyOf(window);
    List<Integer> said = call.ask(RankPrompt.ORDER, List.of(shown)).getFirst();
    Set<Integer> ordered = new LinkedHashSet<>();
    for (int number : said) {
      if (number >= 1 && number <= shown.size()) {
        ordered.add(shown.get(number - 1));
      }
    }
    if (ordered.isEmpty()) {
      throw call.malformed("the order %s names none of %d items".formatted(said, shown.size()));
    }
    ordered.addAll(shown);
    List<Integer> result = new ArrayList<>(ordered);
    for (int i = 0; i < result.size(); i++) {
      window.set(i, result.get(i));
    }
  }
}
