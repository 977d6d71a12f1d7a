package dev.abacus.optimizer.search.pareto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** NonDominatedRows, prefilter and thinning against the definition, on rows with many ties. */
class NonDominatedRowsTest {

  private final RandomGenerator random = new SplittableRandom(5);

  @Test
  void theSkylineHasExactlyTheRowsThatNoneDominates() {
    for (int run = 0; run < 2000; run++) {
      int width = 1 + random.nextInt(4);
      int count = random.nextInt(60);
      double[] rows = rows(count, width);
      List<Integer> expected = new ArrayList<>();
      for (int row = 0; row < count; row++) {
        if (!isDominated(rows, width, count, row)) {
          expected.add(row);
        }
      }
      assertThat(NonDominatedRows.of(rows, count, width))
          .as("run %d", run)
          .containsExactlyInAnyOrder(expected.stream().mapToInt(Integer::intValue).toArray());
    }
  }

  @Test
  void theSieveHoldsBackDominatedRowsOnly() {
    int heldBack = 0;
    for (int run = 0; run < 100; run++) {
      int width = 2 + random.nextInt(3);
      int count = 500;
      double[] rows = rows(count, width);
      DominancePrefilter prefilter = DominancePrefilter.spanning(rows, count, width);
      for (int row = 0; row < count; row++) {
        prefilter.add(rows, row * width);
      }
      prefilter.finish();
      for (int row = 0; row < count; row++) {
        if (!prefilter.passes(rows, row * width)) {
          heldBack++;
          assertThat(isDominated(rows, width, count, row)).as("run %d, row %d", run, row).isTrue();
        }
      }
    }
    assertThat(heldBack).isGreaterThan(10_000);
  }

  @Test
  void everyRowThatThinningDropsHasOneThatStandsForIt() {
    for (int run = 0; run < 200; run++) {
      int width = 2 + random.nextInt(3);
      int count = 200;
      double[] rows = rows(count, width);
      int[] all = new int[count];
      for (int row = 0; row < count; row++) {
        all[row] = row;
      }
      int limit = 1 + random.nextInt(100);
      EpsilonThinning thinning = EpsilonThinning.of(rows, width, all, limit);
      assertThat(thinning.rows()).hasSizeBetween(1, limit).doesNotHaveDuplicates();
      double worse = (1 + thinning.error()) * (1 + 1e-12);
      for (int row = 0; row < count; row++) {
        boolean covered = false;
        for (int kept : thinning.rows()) {
          boolean covers = rows[kept * width] <= rows[row * width];
          for (int column = 1; column < width; column++) {
            covers &= rows[kept * width + column] <= rows[row * width + column] * worse;
          }
          covered |= covers;
        }
        assertThat(covered).as("run %d, row %d", run, row).isTrue();
      }
    }
  }

  @Test
  void nothingIsDroppedWhereThereIsRoom() {
    double[] rows = rows(10, 3);
    int[] some = {1, 4, 7};
    EpsilonThinning thinning = EpsilonThinning.of(rows, 3, some, 3);
    assertThat(thinning.rows()).containsExactly(1, 4, 7);
    assertThat(thinning.error()).isZero();
  }

  private double[] rows(int count, int width) {
    double[] rows = new double[count * width];
    int values = 1 + random.nextInt(100);
    for (int i = 0; i < rows.length; i++) {
      rows[i] = (1 + random.nextInt(values)) / 10.0 * (i % width == 0 ? -1 : 1);
    }
    return rows;
  }

  private static boolean isDominated(double[] rows, int width, int count, int row) {
    for (int other = 0; other < count; other++) {
      boolean covers = true;
      boolean better = false;
      for (int column = 0; column < width; column++) {
        covers &= rows[other * width + column] <= rows[row * width + column];
        better |= rows[other * width + column] < rows[row * width + column];
      }
      if (covers && better) {
        return true;
      }
    }
    return false;
  }
}
