package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.EpsilonThinning;

/**
 * Room for a frontier that is thinned evenly where it is too large: of plans that are alike one
 * stands for the others.
 */
record CellLimit(int limit) implements ParetoGroupFrontier.Room {

  @Override
  public int roughly() {
    return 8 * limit;
  }

  /** With two metrics cells are fine enough that what they leave out of a list is not missed. */
  @Override
  public int implementations(int width) {
    return width == 2 ? limit : Integer.MAX_VALUE;
  }

  @Override
  public EpsilonThinning fit(LabelledRows table, int width, int[] rows, int most) {
    return EpsilonThinning.of(table.values(), width, rows, most);
  }
}
