package dev.abacus.optimizer.loop.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.abacus.optimizer.estimate.Belief;
import dev.abacus.optimizer.loop.state.Beliefs;
import dev.abacus.optimizer.sampling.Arm;
import dev.abacus.optimizer.search.cascades.SearchOptions;
import dev.abacus.optimizer.search.cost.Fanouts;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.objective.ObjectiveParser;
import dev.abacus.schemas.plan.Mixture;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PlanChoice;
import dev.abacus.schemas.program.Field;
import dev.abacus.schemas.program.FieldType;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.SemanticMap;
import dev.abacus.schemas.program.Settings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Mixtures against all pairs of plans and all shares. */
class MixtureSearchTest {

  private static final double SURE = 1e-6;
  private static final double CAP = 0.005;

  private final Map<PhysicalOperator, OperatorEstimate> eligible = new HashMap<>();
  private final Map<Arm, Belief> beliefs = new HashMap<>();

  private static Program program(String objective) {
    return new Program(
        "p",
        List.of(new Program.Source("messages", "messages", Program.Format.JSON, "id")),
        List.of(),
        List.of(
            new SemanticMap(
                "o",
                "messages",
                "Fill in.",
                List.of("text"),
                List.of(new Field("f", new FieldType.StringType(List.of()), "", false)))),
        new Program.Results("results", Program.Format.JSON),
        Settings.defaults("p").withObjective(ObjectiveParser.parse(objective)));
  }

  private void add(String model, double quality, double deviation, double cost) {
    PhysicalOperator physical = new ModelSelection(model);
    OperatorEstimate mean = new OperatorEstimate(quality, cost, 1, 1);
    eligible.put(physical, mean);
    beliefs.put(Arm.named(physical.id()), Belief.alone(mean, 500, deviation, SURE, SURE));
  }

  private PlanCandidates candidates(String objective) {
    return new PlanCandidates(
        program(objective),
        Map.of("o", eligible),
        new Beliefs(Map.of("o", beliefs), Fanouts.STATED),
        SearchOptions.DEFAULT);
  }

  private static PlanChoice best(PlanCandidates candidates) {
    PlanChoice alone = candidates.search(candidates.objective()).chosen();
    return best(candidates, alone);
  }

  private static PlanChoice best(PlanCandidates candidates, PlanChoice alone) {
    return Objects.requireNonNullElse(new MixtureSearch(candidates, 0.9).betterThan(alone), alone);
  }

  @Test
  void aCapBetweenTwoPlansIsUsedUp() {
    add("cheap", 0.6, SURE, 0.001);
    add("dear", 0.9, SURE, 0.010);

    PlanChoice best = best(candidates("maximize quality subject to cost <= 0.005"));

    Mixture mixture = Objects.requireNonNull(best.mixture());
    assertThat(mixture.share()).isEqualTo(0.4);
    assertThat(best.estimate().quality()).isEqualTo(0.72, within(1e-9));
    assertThat(best.estimate().cost()).isEqualTo(0.0046, within(1e-9));
    assertThat(best.signature())
        .isEqualTo("o=model-selection(cheap) | 40 % of the keys: o=model-selection(dear)");
  }

  @Test
  void theCheapestMixtureThatKeepsAQualityIsFound() {
    add("cheap", 0.6, SURE, 0.001);
    add("dear", 0.9, SURE, 0.010);

    PlanChoice best = best(candidates("minimize cost subject to quality >= 0.7"));

    assertThat(Objects.requireNonNull(best.mixture()).plan().signature())
        .isEqualTo("o=model-selection(cheap)");
    assertThat(best.estimate().quality()).isBetween(0.7, 0.7151);
    assertThat(best.estimate().cost()).isLessThan(0.005);
  }

  /** The best plan that keeps the cap is below the line between the two others. */
  @Test
  void theBestPlanByItselfNeedNotBeInTheMixture() {
    add("cheap", 0.6, SURE, 0.001);
    add("near", 0.61, SURE, 0.0049);
    add("dear", 0.9, SURE, 0.010);

    PlanChoice best = best(candidates("maximize quality subject to cost <= 0.005"));

    assertThat(best.signature()).contains("cheap").contains("dear");
    assertThat(best.estimate().quality()).isEqualTo(0.72, within(1e-9));
  }

  /** As of two plans by themselves, the one with the better mean is taken. */
  @Test
  void aPlanThatIsProbablyBetterIsMixedIn() {
    add("cheap", 0.6, 0.2, 0.001);
    add("dear", 0.7, 0.2, 0.010);
    assertThat(best(candidates("maximize quality subject to cost <= 0.005")).mixture()).isNotNull();
  }

  @Test
  void aGainBelowAHundredthIsNoReasonForTwoPlans() {
    add("cheap", 0.6, SURE, 0.001);
    add("dear", 0.61, SURE, 0.010);
    assertThat(best(candidates("maximize quality subject to cost <= 0.005")).mixture()).isNull();
  }

  @Test
  void aMixtureThatMayBreakTheBoundIsNotTaken() {
    add("cheap", 0.9, SURE, 0.010);
    add("unsure", 0.8, 0.2, 0.001);
    assertThat(best(candidates("minimize cost subject to quality >= 0.89")).mixture()).isNull();
  }

  /** The best of many mixtures is one that is believed too good. */
  @Test
  void theBoundsOfChosenMixturesHoldAsOftenAsRequired() {
    Random random = new Random(11);
    double error = 0.1;
    double least = 0.7;
    int mixtures = 0;
    int kept = 0;
    for (int world = 0; world < 300; world++) {
      eligible.clear();
      beliefs.clear();
      Map<String, Double> truth = new HashMap<>();
      for (int i = 0; i < 40; i++) {
        double quality = 0.3 + 0.65 * random.nextDouble();
        double believed = Math.clamp(quality + error * random.nextGaussian(), 0, 1);
        truth.put("m" + i, quality);
        add("m" + i, believed, error, 0.001 + 0.02 * random.nextDouble());
      }
      PlanChoice best = best(candidates("minimize cost subject to quality >= " + least));
      Mixture mixture = best.mixture();
      if (mixture != null) {
        mixtures++;
        double quality =
            (1 - mixture.share()) * quality(best, truth)
                + mixture.share() * quality(mixture.plan(), truth);
        kept += quality >= least ? 1 : 0;
      }
    }
    assertThat(mixtures).isGreaterThan(100);
    assertThat((double) kept / mixtures).as("%d of %d", kept, mixtures).isGreaterThan(0.9);
  }

  private static double quality(PlanChoice plan, Map<String, Double> truth) {
    String model = ((ModelSelection) plan.steps().getFirst().physical()).model();
    return Objects.requireNonNull(truth.get(model));
  }

  @Test
  void whatAMixtureGainsIsWhatAllPairsAndSharesGain() {
    Random random = new Random(7);
    int mixtures = 0;
    for (int world = 0; world < 100; world++) {
      eligible.clear();
      beliefs.clear();
      for (int i = 0; i < 12; i++) {
        add("m" + i, 0.3 + 0.65 * random.nextDouble(), SURE, 0.001 + 0.02 * random.nextDouble());
      }
      add("m", 0.3, SURE, 0.001);
      PlanCandidates candidates = candidates("maximize quality subject to cost <= " + CAP);
      PlanChoice alone = candidates.search(candidates.objective()).chosen();
      double most = alone.estimate().quality();
      for (OperatorEstimate one : eligible.values()) {
        for (OperatorEstimate other : eligible.values()) {
          for (int share = 1; share < 20; share++) {
            double weight = share / 20.0;
            double cost = (1 - weight) * one.cost() + weight * other.cost();
            double quality = (1 - weight) * one.quality() + weight * other.quality();
            most = cost <= CAP ? Math.max(most, quality) : most;
          }
        }
      }
      PlanChoice best = best(candidates, alone);
      mixtures += best.mixture() == null ? 0 : 1;
      assertThat(best.estimate().cost()).isLessThanOrEqualTo(CAP);
      assertThat(best.estimate().quality())
          .as("world %d", world)
          .isBetween(most - 0.01 * alone.estimate().quality(), most + 1e-9);
    }
    assertThat(mixtures).isGreaterThan(50);
  }
}
