package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.local.DataFolder;
import dev.abacus.optimizer.api.PolicyName;
import dev.abacus.optimizer.loop.LoopSettings;
import dev.abacus.optimizer.loop.decide.Confirmation;
import dev.abacus.optimizer.sampling.Reservoir;
import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.sampling.random.RandomSampling;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/** Runs searches of one benchmark in parallel, one per processor. */
final class SearchTrials implements AutoCloseable {

  private final DataFolder folder;
  private final BenchmarkDataPlane dataPlane;
  private final ModelCatalogue catalogue;
  private final int seeds;
  private final Consumer<String> progress;
  private final Map<List<String>, Priors> sampledPriors = new HashMap<>();
  private final Map<SearchSetup, List<SearchResult.Trial>> known = new HashMap<>();
  private final ExecutorService pool =
      Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());

  private SearchTrials(
      DataFolder folder,
      BenchmarkDataPlane dataPlane,
      ModelCatalogue catalogue,
      int seeds,
      Consumer<String> progress) {
    this.folder = folder;
    this.dataPlane = dataPlane;
    this.catalogue = catalogue;
    this.seeds = seeds;
    this.progress = progress;
  }

  /**
   * Reads a data set.
   *
   * @param data folder with one subfolder per data set
   * @param seeds searches per configuration
   * @param progress receives a description of each step
   */
  static SearchTrials of(PaperDataset dataSet, Path data, int seeds, Consumer<String> progress)
      throws InterruptedException {
    progress.accept(dataSet.title() + ": reading documents");
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    DataFolder folder = DataFolder.of(null, "paper");
    try {
      PaperBenchmark benchmark =
          PaperBenchmark.from(
              dataSet, dataSet.read(data.resolve(dataSet.folder())), folder.path(), catalogue);
      return new SearchTrials(
          folder,
          BenchmarkDataPlane.of(benchmark, folder.path().resolve("answers.jsonl"), catalogue),
          catalogue,
          seeds,
          progress);
    } catch (RuntimeException | InterruptedException e) {
      folder.close();
      throw e;
    }
  }

  PaperDataset dataSet() {
    return dataPlane.benchmark().dataSet();
  }

  private Program program() {
    return dataPlane.benchmark().program();
  }

  SearchResult result(SearchSetup setup) throws InterruptedException {
    return SearchResult.of(dataSet().title(), setup, run(setup));
  }

  /** Returns a quantile of the costs per document of the plans found; 0 without plans. */
  double costQuantile(List<SearchSetup> setups, double share) throws InterruptedException {
    List<Double> costs = new ArrayList<>();
    for (SearchSetup setup : setups) {
      run(setup).stream()
          .map(trial -> trial.score().cost())
          .filter(Double::isFinite)
          .forEach(costs::add);
    }
    Collections.sort(costs);
    return costs.isEmpty() ? 0 : costs.get((int) (share * costs.size()));
  }

  /**
   * Runs one search per seed (0, 1, 2, …), each on its own split. Tables share searches: a
   * configuration runs once.
   */
  private List<SearchResult.Trial> run(SearchSetup setup) throws InterruptedException {
    List<SearchResult.Trial> trials = known.get(setup);
    if (trials == null) {
      progress.accept(
          "%s: %s, %s, %s, %s, %d samples"
              .formatted(
                  dataSet().title(),
                  setup.objective(),
                  setup.policy().label(),
                  setup.algorithm().label(),
                  setup.priors().label(),
                  setup.samples()));
      Priors priors = priors(setup);
      trials =
          together(LongStream.range(0, seeds).boxed().toList(), seed -> run(setup, priors, seed));
      known.put(setup, trials);
    }
    return trials;
  }

  private SearchResult.Trial run(SearchSetup setup, Priors priors, long seed)
      throws InterruptedException {
    PaperBenchmark.Split split = dataPlane.benchmark().split(seed);
    OfflineSearch.Found found =
        OfflineSearch.run(
            setup.program(program()),
            split.search(),
            setup.settings(seed, catalogue, priors),
            wave -> {
              List<Observation> observations = new ArrayList<>();
              for (SampleTask task : wave) {
                observations.add(dataPlane.sample(task));
              }
              return observations;
            });
    PhysicalPlan plan = found.plan();
    return new SearchResult.Trial(
        plan == null ? PlanScore.NO_PLAN : PlanScore.of(plan.steps(), dataPlane, split.test()),
        found.usd(),
        found.seconds());
  }

  /**
   * Returns priors (paper, section 4.4). For sampled ones every implementation runs on the
   * documents reserved for priors; downstream operators read the outputs of the best upstream
   * operators.
   */
  private Priors priors(SearchSetup setup) throws InterruptedException {
    return switch (setup.priors()) {
      case NONE -> Priors.NONE;
      case NAIVE ->
          NaivePriors.of(SearchSetup.space(setup.program(program()), catalogue), catalogue);
      case SAMPLED -> {
        Priors sampled = sampledPriors.get(setup.models());
        if (sampled == null) {
          sampled = samplePriors(setup.models());
          sampledPriors.put(setup.models(), sampled);
        }
        yield sampled;
      }
    };
  }

  private Priors samplePriors(List<String> models) throws InterruptedException {
    SearchSetup setup = SearchSetup.of(PolicyName.RANDOM, models, 1);
    Map<String, List<PhysicalOperator>> space =
        SearchSetup.space(setup.program(program()), catalogue);
    int documents = dataPlane.benchmark().forPriors().size();
    int most = space.values().stream().mapToInt(List::size).max().orElse(1);
    SearchSetup all = SearchSetup.of(PolicyName.RANDOM, models, most * documents);
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
    folder.close();
  }
}
