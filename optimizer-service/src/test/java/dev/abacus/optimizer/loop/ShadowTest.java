package dev.abacus.optimizer.loop;

import static dev.abacus.optimizer.loop.CheapestKeeperTest.mean;
import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.optimizer.loop.CheapestKeeperTest.Found;
import dev.abacus.optimizer.loop.CheapestKeeperTest.World;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;

/**
 * The world of {@link CheapestKeeperTest} with and without live documents beside the plan. For the
 * figures of the documentation: {@code -Dseeds=20 -Ddocuments=200}.
 */
class ShadowTest {

  private static final int SEEDS = Integer.getInteger("seeds", 3);
  private static final int DOCUMENTS = Integer.getInteger("documents", 40);

  @Test
  void liveDocumentsBesideThePlanSettleMoreAtNoHigherCost() {
    List<World> worlds = World.first(SEEDS);
    List<Found> without = worlds.stream().map(world -> Found.in(world, 0)).toList();
    List<Found> with = worlds.stream().map(world -> Found.in(world, DOCUMENTS)).toList();

    String figures = "without: %s; with: %s".formatted(figures(without), figures(with));
    System.out.println(figures);
    assertThat(mean(with, Found::keeps))
        .as(figures)
        .isGreaterThanOrEqualTo(mean(without, Found::keeps));
    assertThat(mean(with, Found::holds))
        .as(figures)
        .isGreaterThanOrEqualTo(mean(without, Found::holds));
    assertThat(geometric(with)).as(figures).isLessThanOrEqualTo(geometric(without) * 1.001);
    assertThat(mean(with, Found::width)).as(figures).isLessThan(mean(without, Found::width));
  }

  private static double geometric(List<Found> found) {
    return Math.exp(mean(found, one -> Math.log(one.leastCost())));
  }

  private static String figures(List<Found> found) {
    return String.format(
        Locale.ROOT,
        "cost %.2f (geometric %.2f), kept %.2f, promised %.2f, inside %.2f, width %.3f, %.0f samples",
        mean(found, Found::leastCost),
        geometric(found),
        mean(found, Found::keeps),
        mean(found, Found::holds),
        mean(found, Found::inside),
        mean(found, Found::width),
        mean(found, Found::samples));
  }
}
