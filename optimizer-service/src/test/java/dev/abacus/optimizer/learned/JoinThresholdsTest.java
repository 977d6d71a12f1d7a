package dev.abacus.optimizer.learned;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.schemas.observation.Evidence.Pair;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class JoinThresholdsTest {

  private static final JoinThresholds NOTHING = new JoinThresholds(null, null);

  /** One match in ten; matches are more similar, with some overlap. */
  private static List<Pair> pairs(int count, long seed) {
    Random random = new Random(seed);
    List<Pair> pairs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      boolean match = i % 10 == 0;
      double similarity = (match ? 0.7 : 0.3) + 0.1 * random.nextGaussian();
      pairs.add(new Pair(null, similarity, match, true, 1.0, null));
    }
    return pairs;
  }

  /** Less similar pairs are drawn more rarely and count for more, as from a large reference. */
  private static List<Pair> drawn(int count, long seed) {
    Random random = new Random(seed);
    List<Pair> drawn = new ArrayList<>();
    for (Pair pair : pairs(count, seed)) {
      double probability = Math.clamp(similarity(pair), 0.1, 1);
      if (random.nextDouble() < probability) {
        drawn.add(new Pair(null, similarity(pair), pair.match(), true, 1 / probability, null));
      }
    }
    return drawn;
  }

  private static double similarity(Pair pair) {
    return Objects.requireNonNull(pair.similarity());
  }

  private static boolean isMatch(Pair pair) {
    return Boolean.TRUE.equals(pair.match());
  }

  /** Each pair is an example of its own. */
  private static JoinThresholds learn(List<Pair> pairs) {
    return JoinThresholds.of(
        pairs.stream()
            .map(pair ->
                new JoinThresholds.Example(
                    "%s%s".formatted(pair.similarity(), pair.match()), List.of(pair)))
            .toList());
  }

  private static double recall(@Nullable Double low, List<Pair> fresh) {
    long matches = fresh.stream().filter(JoinThresholdsTest::isMatch).count();
    long kept =
        fresh.stream()
            .filter(pair -> isMatch(pair) && (low == null || similarity(pair) >= low))
            .count();
    return (double) kept / matches;
  }

  private static double precision(@Nullable Double high, List<Pair> fresh) {
    List<Pair> accepted =
        fresh.stream().filter(pair -> high != null && similarity(pair) > high).toList();
    return accepted.isEmpty()
        ? 1
        : (double) accepted.stream().filter(JoinThresholdsTest::isMatch).count() / accepted.size();
  }

  @Test
  void onFreshPairsRecallAndPrecisionReachTheTargetInNineRunsOfTen() {
    int recalled = 0;
    int precise = 0;
    for (int seed = 0; seed < 100; seed++) {
      JoinThresholds learned = learn(pairs(600, seed));
      List<Pair> fresh = pairs(5000, 1000 + seed);
      assertThat(learned.low()).isNotNull();
      recalled += recall(learned.low(), fresh) >= JoinThresholds.TARGET ? 1 : 0;
      precise += precision(learned.high(), fresh) >= JoinThresholds.TARGET ? 1 : 0;
    }
    assertThat(recalled).isGreaterThanOrEqualTo(90);
    assertThat(precise).isGreaterThanOrEqualTo(90);
  }

  @Test
  void theyReachTheTargetForTheWholeReferenceIfPairsCountForDifferentNumbers() {
    int found = 0;
    int recalled = 0;
    int precise = 0;
    for (int seed = 0; seed < 100; seed++) {
      JoinThresholds learned = learn(drawn(2000, seed));
      List<Pair> fresh = pairs(5000, 1000 + seed);
      found += learned.low() != null ? 1 : 0;
      recalled += recall(learned.low(), fresh) >= JoinThresholds.TARGET ? 1 : 0;
      precise += precision(learned.high(), fresh) >= JoinThresholds.TARGET ? 1 : 0;
    }
    assertThat(found).isGreaterThanOrEqualTo(30);
    assertThat(recalled).isGreaterThanOrEqualTo(90);
    assertThat(precise).isGreaterThanOrEqualTo(90);
  }

  @Test
  void recallDoesNotFallHoweverSmallTheBatchesAre() {
    List<Pair> all = pairs(800, 7);
    List<Pair> fresh = pairs(5000, 8);
    double whole = recall(learn(all).low(), fresh);
    for (int batch : new int[] {400, 100, 20, 5, 1}) {
      List<Pair> known = new ArrayList<>();
      JoinThresholds learned = NOTHING;
      for (int from = 0; from < all.size(); from += batch) {
        known.addAll(all.subList(from, Math.min(from + batch, all.size())));
        learned = learn(known);
        assertThat(recall(learned.low(), fresh))
            .as("after %d pairs in batches of %d", known.size(), batch)
            .isGreaterThanOrEqualTo(JoinThresholds.TARGET);
      }
      assertThat(recall(learned.low(), fresh)).isEqualTo(whole);
    }
  }

  @Test
  void morePairsLeaveLessToAskAbout() {
    List<Pair> fresh = pairs(5000, 8);
    double few = asked(learn(pairs(400, 7)), fresh);
    double many = asked(learn(pairs(6000, 7)), fresh);

    assertThat(few).isLessThan(1);
    assertThat(many).isLessThan(few);
  }

  private static double asked(JoinThresholds learned, List<Pair> pairs) {
    return pairs.stream().filter(pair -> !learned.decides(similarity(pair))).count()
        / (double) pairs.size();
  }

  @Test
  void theOrderOfPairsDoesNotMatter() {
    List<Pair> pairs = pairs(500, 3);
    List<Pair> shuffled = new ArrayList<>(pairs);
    Collections.shuffle(shuffled, new Random(1));
    assertThat(learn(shuffled)).isEqualTo(learn(pairs));
  }

  @Test
  void tooFewMatchesTeachNothing() {
    assertThat(learn(List.of())).isEqualTo(NOTHING);
    assertThat(learn(pairs(280, 3))).isEqualTo(NOTHING);
    assertThat(learn(List.of(new Pair(null, Double.NaN, true, true, 1.0, null))))
        .isEqualTo(NOTHING);
  }

  @Test
  void whatIsWellApartNeedsNoModelAndTheThresholdsDoNotCross() {
    List<Pair> apart = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      apart.add(new Pair(null, 0.9 + i * 1e-4, true, true, 1.0, null));
      apart.add(new Pair(null, 0.1 + i * 1e-4, false, true, 1.0, null));
    }
    JoinThresholds learned = learn(apart);

    assertThat(apart).allMatch(pair -> learned.decides(similarity(pair)) || isMatch(pair));
    assertThat(learned.low()).isNotNull();
    assertThat(learned.high()).isNotNull().isGreaterThanOrEqualTo(learned.low());
  }
}
