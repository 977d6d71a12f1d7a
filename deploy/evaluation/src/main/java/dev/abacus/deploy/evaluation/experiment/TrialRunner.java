package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.report.PlanConfidence;
import dev.abacus.deploy.evaluation.paper.OfflineSearch;
import dev.abacus.deploy.evaluation.paper.SeededTrials;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.sampling.SamplingPolicy;
import dev.abacus.schemas.plan.Estimate;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.plan.PlanStep;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongFunction;

/** Runs searches over landscapes in parallel. The result of each depends on its seed alone. */
final class TrialRunner {

  private static final Duration BETWEEN_NOTES = Duration.ofSeconds(3);

  private TrialRunner() {}

  /**
   * Runs trials with the seeds 0, 1, 2 and so on.
   *
   * @param settings of a seed
   * @param policies makes the policy of a seed
   * @return in order of the seeds
   */
  static List<TrialResult> run(
      LongFunction<ExperimentSettings> settings,
      LongFunction<SamplingPolicy> policies,
      int seeds,
      Output output) {
    AtomicLong lastNote = new AtomicLong(System.nanoTime());
    return SeededTrials.run(
        seeds,
        seed -> run(settings.apply(seed), policies.apply(seed), seed),
        ended -> {
          if (System.nanoTime() - lastNote.get() > BETWEEN_NOTES.toNanos()) {
            lastNote.set(System.nanoTime());
            output.note("  %d of %d searches".formatted(ended, seeds));
          }
        });
  }

  /** One search: the optimizer loop over landscapes as its data plane. */
  private static TrialResult run(ExperimentSettings settings, SamplingPolicy policy, long seed)
      throws InterruptedException {
    SamplingPolicy simulated = SimulatedArms.policy(policy, settings.landscapes());
    LandscapeDataPlane dataPlane = new LandscapeDataPlane(settings, seed);
    OfflineSearch.Found found =
        OfflineSearch.run(
            settings.budgetedProgram(),
            settings.validationExamples(),
            LoopSettings.builder(
                    seed,
                    _ -> simulated,
                    _ -> SimulatedArms.searchSpace(settings.landscapes()),
                    SimulatedArms.catalogue(settings.landscapes()))
                .confirmation(settings.confirmation())
                .build(),
            dataPlane);
    PhysicalPlan plan =
        Objects.requireNonNull(found.plan(), "the budget is too small for a sample per operator");
    Estimate truth =
        plan.choice().mean(part -> PlanValue.of(settings, implementations(part.steps())));
    return new TrialResult(
        seed,
        implementations(plan.steps()),
        truth.quality(),
        truth.cost(),
        truth.latency(),
        plan.estimate(),
        intervals(plan),
        PlanValue.meets(truth, settings.objective()),
        plan.feasible(),
        found.samples(),
        found.usd(),
        dataPlane.calls());
  }

  /** The ids in the landscapes, by operator. */
  private static Map<String, String> implementations(List<PlanStep> steps) {
    Map<String, String> byOperator = new LinkedHashMap<>();
    steps.stream()
        .filter(step -> step.logical().isSemantic())
        .forEach(step -> byOperator.put(step.logical().id(), SimulatedArms.id(step.physical())));
    return byOperator;
  }

  private static Map<String, List<Double>> intervals(PhysicalPlan plan) {
    Map<String, List<Double>> intervals = new LinkedHashMap<>();
    PlanConfidence.whole(plan)
        .forEach((dimension, range) -> {
          if (range.low() != null && range.high() != null) {
            intervals.put(dimension.label(), List.of(range.low(), range.high()));
          }
        });
    return intervals;
  }
}
