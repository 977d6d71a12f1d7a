package dev.abacus.schemas.plan;

import static dev.abacus.schemas.plan.Parameters.requireAtLeastOne;

import com.fasterxml.jackson.annotation.JsonTypeName;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;

/**
 * One call for each window of items, which orders them. The window slides from the end of the list
 * to its beginning by half its size, so that the best items move to the beginning (RankGPT, Sun et
 * al. 2023). Further passes follow until the items to keep are in order.
 *
 * @param window greatest number of items in a call, an even number of at least 2
 */
@JsonTypeName("listwise-ranking")
public record ListwiseRanking(String model, int window) implements Ranking {

  /** A window of 20 items, as in RankGPT; most lists fit into one call. */
  public static final int WIDE = 20;

  public ListwiseRanking {
    requireAtLeastOne("window", window);
    if (window % 2 == 1) {
      throw new IllegalArgumentException("window " + window + " is odd");
    }
  }

  /** The number of places by which the window moves, and of items that a pass puts in order. */
  public int step() {
    return window / 2;
  }

  @Override
  public int shown() {
    return window;
  }

  @Override
  public int calls(int items, int kept) {
    int calls = 0;
    int left = items;
    int wanted = kept;
    while (wanted > 0 && left > 1) {
      int behind = Math.max(0, left - window);
      calls += 1 + (behind + step() - 1) / step();
      wanted -= behind == 0 ? left : step();
      left -= step();
    }
    return calls;
  }

  @Override
  public String id() {
    return "listwise-ranking(%s,%d)".formatted(model, window);
  }
}
