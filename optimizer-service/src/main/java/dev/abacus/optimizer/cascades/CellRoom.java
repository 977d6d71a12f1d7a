package dev.abacus.optimizer.cascades;

import dev.abacus.optimizer.pareto.Thinning;

/**
 * Room for a frontier that is thinned evenly where it is too large: of plans that are alike one
 * stands for the others.
 */
record CellRoom(int limit) implements ParetoSurvivors.Room {

  @Override
  public int roughly() {
    return 8 * limit;
  }

  @Override
  public Thinning fit(RowTable table, int width, int[] rows, int most) {
    return Thinning.of(table.values(), width, rows, most);
  }
}
