package dev.abacus.optimizer.search.pareto;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ParetoFrontierTest {

  private record Item(OperatorEstimate vector, int id) {

    double get(Metric metric) {
      return vector.get(metric);
    }
  }

  private static final Comparator<Item> BY_ID = Comparator.comparingInt(Item::id);

  @Test
  void keepsExactlyWhatNothingDominatesWhateverTheMetricsAndTheOrder() {
    Random random = new Random(7);
    for (int round = 0; round < 2000; round++) {
      Set<Metric> metrics = someMetrics(random);
      List<Item> items = items(random);
      List<Item> expected = survivors(items, new Dominance(metrics));
      List<Item> frontier = ParetoFrontier.of(items, Item::get, metrics, BY_ID);
      assertThat(frontier).containsExactlyInAnyOrderElementsOf(expected);
      Collections.shuffle(items, random);
      assertThat(ParetoFrontier.of(items, Item::get, metrics, BY_ID)).isEqualTo(frontier);
    }
  }

  @Test
  void startsWithTheBestByTheFirstMetricAndKeepsTheSmallestOfEqualItems() {
    Map<String, OperatorEstimate> items =
        Map.of(
            "a", new OperatorEstimate(0.5, 2, 9, 1),
            "b", new OperatorEstimate(0.6, 2, 9, 1),
            "c", new OperatorEstimate(0.6, 2, 1, 1),
            "d", new OperatorEstimate(0.4, 1, 0, 1),
            "e", new OperatorEstimate(0.4, 3, 0, 1));
    assertThat(
            ParetoFrontier.of(
                items.keySet(),
                (item, metric) -> Objects.requireNonNull(items.get(item)).get(metric),
                EnumSet.of(Metric.QUALITY, Metric.COST),
                Comparator.naturalOrder()))
        .containsExactly("b", "d");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            ParetoFrontier.of(List.of(), (_, _) -> 0, Set.of(), Comparator.<String>naturalOrder()));
  }

  @Test
  void dominanceIsBetterSomewhereAndNowhereWorse() {
    Dominance dominance = new Dominance(EnumSet.of(Metric.QUALITY, Metric.LATENCY));
    OperatorEstimate base = new OperatorEstimate(0.5, 1, 1, 1);
    assertThat(dominance.dominates(new OperatorEstimate(0.6, 9, 1, 1), base)).isTrue();
    assertThat(dominance.dominates(new OperatorEstimate(0.6, 0, 2, 1), base)).isFalse();
    assertThat(dominance.dominates(base, base)).isFalse();
    assertThat(dominance.covers(base, base)).isTrue();
    assertThatIllegalArgumentException().isThrownBy(() -> new Dominance(Set.of()));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new OperatorEstimate(Double.NaN, 0, 0, 1));
  }

  @Test
  void roundingTakesAwayWhatTheOrderOfSumsLeaves() {
    double oneWay = 0.1 + 0.2 + 0.3;
    double otherWay = 0.3 + 0.2 + 0.1;
    assertThat(oneWay).isNotEqualTo(otherWay);
    assertThat(new OperatorEstimate(1, oneWay, 0, 1).rounded())
        .isEqualTo(new OperatorEstimate(1, otherWay, 0, 1).rounded());
    assertThat(new OperatorEstimate(1, 0, 0, 1).rounded())
        .isEqualTo(new OperatorEstimate(1, 0, 0, 1));
  }

  private static Set<Metric> someMetrics(Random random) {
    List<Metric> all = new ArrayList<>(EnumSet.allOf(Metric.class));
    Collections.shuffle(all, random);
    return EnumSet.copyOf(all.subList(0, 1 + random.nextInt(4)));
  }

  private static List<Item> items(Random random) {
    int levels = random.nextBoolean() ? 5 : 1000;
    List<Item> items = new ArrayList<>();
    for (int id = random.nextInt(60); id >= 0; id--) {
      items.add(
          new Item(
              new OperatorEstimate(
                  random.nextInt(levels) / (double) levels,
                  random.nextInt(levels),
                  random.nextInt(levels),
                  random.nextInt(levels)),
              id));
    }
    return items;
  }

  private static List<Item> survivors(List<Item> items, Dominance dominance) {
    return items.stream()
        .filter(item ->
            items.stream()
                .noneMatch(other ->
                    dominance.dominates(other.vector(), item.vector())
                        || (dominance.covers(other.vector(), item.vector())
                            && other.id() < item.id())))
        .toList();
  }
}
