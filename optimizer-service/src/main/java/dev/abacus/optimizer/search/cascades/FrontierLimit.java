package dev.abacus.optimizer.search.cascades;

import dev.abacus.optimizer.search.pareto.EpsilonThinning;

/** How many subplans the frontier of a group keeps, and which ones if there are more. */
interface FrontierLimit {

  /** The largest number of rows to compare exactly; more rows are first reduced to this number. */
  int exactComparisons();

  /** The largest number of subplans to keep. */
  int subplans();

  /**
   * The largest number of implementations to combine with the input; more are first reduced to this
   * number.
   *
   * @param width number of metrics
   */
  int implementations(int width);

  /**
   * Selects rows.
   *
   * @param rows indices of more rows than {@code limit}
   * @return at most {@code limit} rows, with their approximation error
   */
  EpsilonThinning select(LabelledRows table, int width, int[] rows, int limit);

  /** Keeps one row per cell of a grid over the metrics: an ε-approximate frontier. */
  record Cells(int subplans) implements FrontierLimit {

    @Override
    public int exactComparisons() {
      return 8 * subplans;
    }

    /** With two metrics, the cells are so fine that thinning the implementations loses little. */
    @Override
    public int implementations(int width) {
      return width == 2 ? subplans : Integer.MAX_VALUE;
    }

    @Override
    public EpsilonThinning select(LabelledRows table, int width, int[] rows, int limit) {
      return EpsilonThinning.of(table.values(), width, rows, limit);
    }
  }
}
