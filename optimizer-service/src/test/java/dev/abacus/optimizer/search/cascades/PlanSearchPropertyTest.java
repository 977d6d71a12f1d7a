package dev.abacus.optimizer.search.cascades;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.search.cascades.BruteForce.Exact;
import dev.abacus.optimizer.search.cost.CostModel;
import dev.abacus.optimizer.search.rule.transformation.EquivalentPrograms;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Case 8: random small programs against all legal orders and choices. */
class PlanSearchPropertyTest {

  private static final int CASES = 3000;

  private final RandomGenerator random =
      RandomGeneratorFactory.of("L64X128MixRandom").create(20250807);

  @Test
  void frontierAndChoiceEqualBruteForce() {
    int feasible = 0;
    int reordered = 0;
    for (int i = 0; i < CASES; i++) {
      RandomCase given = RandomCase.draw(random);
      BruteForce brute = new BruteForce(given);
      NamedSearchResult found = search(given, given.options());
      String at = "case " + i + ": " + given;
      Objective objective = given.objective();
      Set<Exact> plans = brute.feasible();
      feasible += plans.isEmpty() ? 0 : 1;
      assertThat(found.feasible()).as(at).isEqualTo(!plans.isEmpty());
      Set<Exact> expected = plans.isEmpty() ? brute.all() : plans;
      assertThat(frontierOf(found, brute, objective.dimensions()))
          .as(at)
          .isEqualTo(BruteForce.frontier(expected, objective.dimensions()));
      assertThat(found.frontier()).as(at).contains(found.chosen()).doesNotHaveDuplicates();
      assertThat(found.frontier())
          .as(at)
          .hasSize(BruteForce.frontier(expected, objective.dimensions()).size());
      assertThat(brute.exact(found.chosen()).get(objective.target()))
          .as(at)
          .isEqualTo(BruteForce.best(expected, objective.target()));
      assertThat(found.statistics().groups()).as(at).isLessThanOrEqualTo(brute.groups());
      assertThat(found.statistics().epsilon()).as(at).isZero();
      assertThat(found.statistics().frontierEpsilon()).as(at).isZero();
      assertThat(found.statistics().allOrders()).as(at).isTrue();
      for (NamedPlan plan : found.frontier()) {
        assertThat(brute.exact(plan)).as(at).isEqualTo(brute.reckon(plan));
        assertThat(brute.isLegal(plan.steps().stream().map(NamedPlan.Step::logical).toList()))
            .as(at)
            .isTrue();
      }
      reordered +=
          found.chosen().steps().stream()
                  .map(NamedPlan.Step::logical)
                  .toList()
                  .equals(given.program().operators())
              ? 0
              : 1;
    }
    assertThat(feasible).isBetween(CASES / 4, CASES * 3 / 4);
    assertThat(reordered).isGreaterThan(CASES / 20);
  }

  @Test
  void withLittleRoomTheChoiceIsFeasibleAndAsGoodAsItSays() {
    int approximate = 0;
    for (int i = 0; i < CASES; i++) {
      RandomCase drawn = RandomCase.draw(random);
      RandomCase given = i % 4 == 0 ? ofAnyQuality(drawn) : drawn;
      BruteForce brute = new BruteForce(given);
      int room = 1 + random.nextInt(4);
      NamedSearchResult found =
          NamedPlanSearch.search(
              EquivalentPrograms.of(given.program()),
              given.candidates(),
              given.objective(),
              given.options(),
              room);
      String at = "case %d, room %d: %s".formatted(i, room, given);
      Dimension target = given.objective().target();
      Set<Exact> plans = brute.feasible();
      double epsilon = found.statistics().epsilon();
      approximate += epsilon > 0 ? 1 : 0;
      if (found.feasible()) {
        assertThat(brute.isFeasible(brute.exact(found.chosen()))).as(at).isTrue();
      }
      if (found.feasible() || plans.isEmpty()) {
        long best = BruteForce.best(plans.isEmpty() ? brute.all() : plans, target);
        long reached = brute.exact(found.chosen()).get(target);
        double short1 = target == Dimension.QUALITY ? best - reached : reached - best;
        double allowed = target == Dimension.QUALITY ? epsilon * best : epsilon * reached;
        assertThat(short1).as(at).isLessThanOrEqualTo(allowed * (1 + 1e-9) + 1e-6);
      }
      assertThat(found.feasible()).as(at).isEqualTo(!plans.isEmpty());
    }
    assertThat(approximate).isPositive();
  }

  @Test
  void withLittleRoomTheFrontierIsAsCloseAsItSays() {
    int approximate = 0;
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase given = RandomCase.draw(random);
      BruteForce brute = new BruteForce(given);
      NamedSearchResult found =
          NamedPlanSearch.search(
              EquivalentPrograms.of(given.program()),
              given.candidates(),
              new Objective(given.objective().target(), List.of()),
              given.options().withFrontierDimensions(given.objective().dimensions()),
              1 + random.nextInt(6));
      double worse = 1 + found.statistics().frontierEpsilon() + 1e-9;
      if (Double.isInfinite(worse)) {
        // So little room that plans of no cost and of some were taken for alike.
        continue;
      }
      approximate += found.statistics().frontierEpsilon() > 0 ? 1 : 0;
      Set<Dimension> dimensions = given.objective().dimensions();
      List<Exact> kept =
          found.frontier().stream().map(plan -> brute.exact(plan).only(dimensions)).toList();
      for (Exact plan : BruteForce.frontier(brute.all(), dimensions)) {
        assertThat(kept)
            .as("case %d: %s, within %s", i, given, worse)
            .anyMatch(other ->
                other.quality() * worse >= plan.quality()
                    && other.cost() <= plan.cost() * worse
                    && other.latency() <= plan.latency() * worse);
      }
    }
    assertThat(approximate).isGreaterThan(CASES / 30);
  }

  @Test
  void frontierWithoutBoundsOverAllDimensionsEqualsBruteForce() {
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase given = RandomCase.draw(random);
      BruteForce brute = new BruteForce(given);
      NamedSearchResult found =
          search(
              given.withObjective(new Objective(given.objective().target(), List.of())),
              given.options().withFrontierDimensions(SearchOptions.ALL_DIMENSIONS));
      assertThat(frontierOf(found, brute, SearchOptions.ALL_DIMENSIONS))
          .as("case %d: %s", i, given)
          .isEqualTo(BruteForce.frontier(brute.all(), SearchOptions.ALL_DIMENSIONS));
    }
  }

  @Test
  void aBoundAtWhatAPlanReachesIsMet() {
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase drawn = RandomCase.draw(random);
      Dimension target = drawn.objective().target();
      Dimension bounded = target == Dimension.COST ? Dimension.QUALITY : Dimension.COST;
      NamedSearchResult extreme =
          search(drawn.withObjective(new Objective(bounded, List.of())), drawn.options());
      double limit = extreme.chosen().estimate().get(bounded);
      RandomCase given =
          drawn.withObjective(new Objective(target, List.of(new Bound(bounded, limit))));
      assertThat(search(given, given.options()).feasible()).as("case %d: %s", i, given).isTrue();
    }
  }

  @Test
  void leastViolationIsLeast() {
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase given = RandomCase.draw(random);
      BruteForce brute = new BruteForce(given);
      NamedSearchResult found =
          search(given, given.options().withInfeasiblePolicy(InfeasiblePolicy.LEAST_VIOLATION));
      if (!found.feasible()) {
        double units = given.program().operators().size();
        double least =
            brute.all().stream()
                .mapToDouble(plan -> violation(given.objective(), plan, units))
                .min()
                .orElseThrow();
        assertThat(violation(given.objective(), brute.exact(found.chosen()), units))
            .as("case %d: %s", i, given)
            .isCloseTo(least, within(1e-9));
        assertThat(found.violations()).isNotEmpty();
      }
    }
  }

  @Test
  void greedyAndCascadesAreNeverBetterAndCascadesIsExactWithoutBounds() {
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase given = RandomCase.draw(random);
      Dimension target = given.objective().target();
      NamedSearchResult exact = search(given, given.options());
      for (Algorithm algorithm : List.of(Algorithm.GREEDY, Algorithm.CASCADES)) {
        NamedSearchResult found = search(given, given.options().withAlgorithm(algorithm));
        assertThat(found.frontier()).containsExactly(found.chosen());
        if (found.feasible()) {
          assertThat(exact.feasible()).isTrue();
          assertThat(
                  target.better(
                      found.chosen().estimate().get(target), exact.chosen().estimate().get(target)))
              .as("case %d: %s", i, given)
              .isFalse();
        }
      }
      if (target != Dimension.COST || given.costModel() == CostModel.PAPER) {
        RandomCase free = given.withObjective(new Objective(target, List.of()));
        assertThat(
                search(free, free.options().withAlgorithm(Algorithm.CASCADES))
                    .chosen()
                    .estimate()
                    .get(target))
            .as("case %d: %s", i, free)
            .isEqualTo(search(free, free.options()).chosen().estimate().get(target));
      }
    }
  }

  @Test
  void theOrderOfCandidatesDoesNotMatter() {
    for (int i = 0; i < CASES / 3; i++) {
      RandomCase given = RandomCase.draw(random);
      NamedSearchResult found = search(given, given.options());
      given.candidates().replaceAll((_, list) -> list.reversed());
      NamedSearchResult again = search(given, given.options());
      assertThat(again.chosen()).isEqualTo(found.chosen());
      assertThat(again.frontier()).isEqualTo(found.frontier());
    }
  }

  /** With a bound on quality that all plans meet. */
  private static RandomCase ofAnyQuality(RandomCase given) {
    return given.withObjective(
        new Objective(
            given.objective().target(),
            given.objective().bounds().stream()
                .map(bound ->
                    bound.dimension() == Dimension.QUALITY
                        ? new Bound(Dimension.QUALITY, 0)
                        : bound)
                .toList()));
  }

  private static NamedSearchResult search(RandomCase given, SearchOptions options) {
    return NamedPlanSearch.search(given.program(), given.candidates(), given.objective(), options);
  }

  private static Set<Exact> frontierOf(
      NamedSearchResult found, BruteForce brute, Set<Dimension> dimensions) {
    return found.frontier().stream()
        .map(plan -> brute.exact(plan).only(dimensions))
        .collect(Collectors.toCollection(HashSet::new));
  }

  private static double violation(Objective objective, Exact plan, double size) {
    double sum = 0;
    for (Bound bound : objective.bounds()) {
      double value =
          switch (bound.dimension()) {
            case QUALITY -> plan.quality() / Math.pow(100, size);
            case COST -> plan.cost() / Math.pow(100, size + 1);
            case LATENCY -> plan.latency() / 100.0;
          };
      double miss =
          Math.max(
              0,
              bound.dimension() == Dimension.QUALITY
                  ? bound.limit() - value
                  : value - bound.limit());
      sum += bound.limit() == 0 ? miss : miss / bound.limit();
    }
    return sum;
  }
}
