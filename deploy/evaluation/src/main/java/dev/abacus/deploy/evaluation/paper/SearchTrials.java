package dev.abacus.deploy.evaluation.paper;

import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/** Runs searches of one benchmark in parallel, one per processor. */
final class SearchTrials implements AutoCloseable {

  private final BenchmarkDataPlane dataPlane;
  private final ModelCatalogue catalogue;
  private final int seeds;
  private final Map<List<String>, Priors> sampledPriors = new HashMap<>();
  private final Map<SearchSetup, List<TrialOutcome>> known = new HashMap<>();
  private final ExecutorService pool =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  SearchTrials(BenchmarkDataPlane dataPlane, ModelCatalogue catalogue, int seeds) {
    this.dataPlane = dataPlane;
    this.catalogue = catalogue;
    this.seeds = seeds;
  }

  PaperDataset dataSet() {
    return dataPlane.benchmark().dataSet();
  }

  Program program() {
    return dataPlane.benchmark().program();
  }

  /**
   * Runs one search per seed (0, 1, 2, …), each on its own split. Tables share searches: a
   * configuration runs once.
   */
  List<TrialOutcome> run(SearchSetup setup) throws InterruptedException {
    List<TrialOutcome> outcomes = known.get(setup);
    if (outcomes == null) {
      outcomes = together(LongStream.range(0, seeds).boxed().toList(), seed -> run(setup, seed));
      known.put(setup, outcomes);
    }
    return outcomes;
  }

  private TrialOutcome run(SearchSetup setup, long seed) throws InterruptedException {
    PaperBenchmark.Split split = dataPlane.benchmark().split(seed);
    OfflineSearch.Found found =
        OfflineSearch.run(
            setup.program(program()),
            split.search(),
            setup.settings(seed, catalogue),
            wave -> {
              List<Observation> observations = new ArrayList<>();
              for (SampleTask task : wave) {
                observations.add(dataPlane.sample(task));
              }
              return observations;
            });
    PhysicalPlan plan = found.plan();
    return new TrialOutcome(
        plan == null ? PlanScore.NO_PLAN : PlanScore.of(plan.steps(), dataPlane, split.test()),
        found.samples(),
        found.usd(),
        found.seconds());
  }

  /**
   * Returns priors from samples (paper, section 4.4): every implementation runs on the documents
   * reserved for priors; downstream operators read the outputs of the best upstream operators.
   */
  Priors sampledPriors(List<String> models) throws InterruptedException {
    Priors known = sampledPriors.get(models);
    if (known == null) {
      known = samplePriors(models);
      sampledPriors.put(models, known);
    }
    return known;
  }

  /** Returns naive priors (paper, section 4.4). */
  Priors naivePriors(List<String> models) {
    SearchSetup setup = SearchSetup.of(PolicyName.RANDOM, Objective.MAXIMIZE_QUALITY, models, 1);
    Program program = setup.program(program());
    return NaivePriors.of(SearchSetup.space(program, catalogue), catalogue);
  }

  private Priors samplePriors(List<String> models) throws InterruptedException {
    SearchSetup setup = SearchSetup.of(PolicyName.RANDOM, Objective.MAXIMIZE_QUALITY, models, 1);
    Map<String, List<PhysicalOperator>> space =
        SearchSetup.space(setup.program(program()), catalogue);
    int documents = dataPlane.benchmark().forPriors().size();
    int most = space.values().stream().mapToInt(List::size).max().orElse(1);
    SearchSetup all =
        SearchSetup.of(PolicyName.RANDOM, Objective.MAXIMIZE_QUALITY, models, most * documents);
    Map<String, Map<String, List<Observation>>> observed = new HashMap<>();
    LoopSettings settings =
        LoopSettings.builder(
                0,
                _ -> new RandomSampling(Reservoir.seeded(0), most, most * documents),
                _ -> space,
                catalogue)
            .fullSamples(documents)
            .pipelined(false)
            .confirmation(Confirmation.NONE)
            .build();
    OfflineSearch.run(
        all.program(program()),
        dataPlane.benchmark().forPriors(),
        settings,
        wave -> {
          List<Observation> observations = together(wave, dataPlane::sample);
          observations.forEach(observation ->
              observed
                  .computeIfAbsent(observation.operator(), _ -> new HashMap<>())
                  .computeIfAbsent(observation.physical(), _ -> new ArrayList<>())
                  .add(observation));
          return observations;
        });
    return priors(observed);
  }

  private static Priors priors(Map<String, Map<String, List<Observation>>> observed) {
    Map<String, Map<String, OperatorEstimate>> priors = new HashMap<>();
    observed.forEach((operator, byPhysical) -> {
      Map<String, OperatorEstimate> ofOperator = new HashMap<>();
      byPhysical.forEach((physical, observations) ->
          ofOperator.put(
              physical,
              new OperatorEstimate(
                  observations.stream()
                      .mapToDouble(each -> each.quality() == null ? 0 : each.quality())
                      .average()
                      .orElse(0),
                  observations.stream().mapToDouble(Observation::cost).average().orElse(0),
                  observations.stream().mapToDouble(Observation::latency).average().orElse(0),
                  1)));
      priors.put(operator, ofOperator);
    });
    return new Priors(priors);
  }

  /** A function that may be interrupted. */
  @FunctionalInterface
  private interface Step<T, R> {
    R apply(T item) throws InterruptedException;
  }

  private <T, R> List<R> together(List<T> items, Step<T, R> step) throws InterruptedException {
    List<Callable<R>> calls = new ArrayList<>();
    items.forEach(item -> calls.add(() -> step.apply(item)));
    List<R> results = new ArrayList<>();
    try {
      for (Future<R> future : pool.invokeAll(calls)) {
        results.add(future.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(String.valueOf(e.getCause()), e.getCause());
    }
    return results;
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
