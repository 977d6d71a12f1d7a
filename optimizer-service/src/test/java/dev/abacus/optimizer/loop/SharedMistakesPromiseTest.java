package dev.abacus.optimizer.loop;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.BooleanNode;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.Observation.Outcome;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.CritiqueAndRefine;
import dev.abacus.schemas.plan.Gleaning;
import dev.abacus.schemas.plan.HeadAndTail;
import dev.abacus.schemas.plan.MixtureOfAgents;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.Quantiles;
import dev.abacus.schemas.plan.Range;
import dev.abacus.schemas.plan.ReducedContext;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * The promise of a filter whose implementations share their mistakes. A decision is right if skill
 * − difficulty + effects is above 0 (Rasch), with an effect of the document and one of the model
 * that answers: implementations of one model err together.
 */
class SharedMistakesPromiseTest {

  private static final int EXAMPLES = 200;
  private static final int BUDGET = 75;
  private static final int SEEDS = 30;
  private static final List<Double> ABILITIES = List.of(0.85, 0.35, 1.1, 0.3, 0.65, -0.3);
  private static final double EASE = 1.5;

  /** Standard deviations of the effects of a document and of a model on a document. */
  private static final double OF_DOCUMENT = 1;

  private static final double OF_MODEL = 1.4;

  private static double skill(PhysicalOperator arm, boolean keep) {
    List<String> models = arm.chatModels();
    double last = ability(models.getLast());
    double all =
        models.stream().mapToDouble(SharedMistakesPromiseTest::ability).average().orElseThrow();
    double difficulty = keep ? 0.24 : 0.1;
    return EASE + (last + all) / 2 + (models.size() > 1 ? 0.2 : 0) - 4 * (difficulty - 0.5);
  }

  private static double ability(String model) {
    return ABILITIES.get(Integer.parseInt(model.substring(1)));
  }

  /** A mixture or a refined answer shares half of the effect of its last model. */
  private static boolean isRight(long seed, SampleTask task) {
    PhysicalOperator arm = task.physical();
    String example = task.exampleId();
    double shared = arm.chatModels().size() > 1 ? 0.5 : 1;
    double effects =
        OF_DOCUMENT * normal(seed, example)
            + OF_MODEL * Math.sqrt(shared) * normal(seed, example + arm.chatModels().getLast())
            + OF_MODEL * Math.sqrt(1 - shared) * normal(seed, example + arm.id());
    return skill(arm, isToKeep(example)) + effects > 0;
  }

  private static double normal(long seed, String text) {
    return Quantiles.normal(Math.clamp(TestWorld.unit(seed, "effect of " + text), 1e-9, 1 - 1e-9));
  }

  private static boolean isToKeep(String example) {
    return Integer.parseInt(example.substring(1)) % 2 == 0;
  }

  /** The balanced accuracy over all documents. */
  private static double quality(PhysicalOperator arm) {
    double deviation = Math.hypot(OF_DOCUMENT, OF_MODEL);
    return (Quantiles.normalBelow(skill(arm, true) / deviation)
            + Quantiles.normalBelow(skill(arm, false) / deviation))
        / 2;
  }

  private static List<PhysicalOperator> arms() {
    List<PhysicalOperator> arms = new ArrayList<>();
    for (int i = 0; i < ABILITIES.size(); i++) {
      String model = "m" + i;
      arms.add(new ModelSelection(model));
      arms.add(new HeadAndTail(model, 640));
      arms.add(new ReducedContext(model, "embedder", 640, 1));
      arms.add(new Gleaning(model, model, 1));
      for (String other : List.of("m0", "m2")) {
        arms.add(new CritiqueAndRefine(model, other, model));
        arms.add(new MixtureOfAgents(List.of("m4", other), 0.4, model));
      }
    }
    return arms;
  }

  private static Observation observe(long seed, SampleTask task) {
    boolean right = isRight(seed, task);
    boolean kept = isToKeep(task.exampleId()) == right;
    return Observation.of(task)
        .outcome(kept ? Outcome.KEPT : Outcome.DROPPED)
        .outputs(kept ? List.of(task.input()) : List.of())
        .quality(right ? 1.0 : 0.0)
        .scoredBy(ScoredBy.LABEL)
        .cost(0.001 * task.physical().chatModels().size())
        .latency(1)
        .build();
  }

  private static PhysicalPlan search(long seed) {
    List<PhysicalOperator> arms = arms();
    LoopSettings settings =
        LoopSettings.builder(
                seed,
                priors -> PolicyName.SURROGATE.create(seed, BUDGET, priors),
                _ -> Map.of("is-problem", arms),
                ModelCatalogue.of(List.of()))
            .confirmation(Confirmation.DEFAULT)
            .build();
    TestRun run =
        new TestRun(task -> observe(seed, task), seed, settings)
            .program(
                TestPrograms.of(
                    "maximize quality",
                    new SampleBudget.Invocations(BUDGET),
                    TestPrograms.filter("is-problem", "messages")));
    return run.labelled(EXAMPLES, "is-problem", i -> BooleanNode.valueOf(isToKeep("e" + i)))
        .finish()
        .activePlan();
  }

  @Test
  void aFilterIsNotPromisedTooHigh() {
    double bias = 0;
    int covered = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      PhysicalPlan plan = search(seed);
      Range promised = Objects.requireNonNull(plan.promise()).quality();
      double truth = quality(plan.steps().getFirst().physical());
      boolean contained =
          Objects.requireNonNull(promised.low()) <= truth
              && truth <= Objects.requireNonNull(promised.high());
      covered += contained ? 1 : 0;
      bias += (promised.mean() - truth) / SEEDS;
    }
    assertThat(bias).isBetween(-0.03, 0.015);
    assertThat((double) covered / SEEDS).isGreaterThan(0.89);
  }
}
