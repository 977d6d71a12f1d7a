package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalPlan;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;

/** Runs searches of one benchmark in parallel, one per processor. */
final class SearchTrials implements AutoCloseable {

  private final DataFolder folder;
  private final BenchmarkDataPlane dataPlane;
  private final ModelCatalogue catalogue;
  private final int seeds;
  private final Consumer<String> progress;
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
   * Prepares a benchmark.
   *
   * @param data folder with the data sets
   * @param seeds searches per configuration
   * @param progress receives a description of each configuration
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or malformed
   */
  static SearchTrials of(PaperDataset dataSet, Path data, int seeds, Consumer<String> progress)
      throws InterruptedException {
    progress.accept(dataSet.title() + ": reading documents");
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    DataFolder folder = DataFolder.of(null, "paper");
    try {
      var read = dataSet.read(data.resolve(dataSet.folder()));
      read.writeTo(folder.path());
      return new SearchTrials(
          folder,
          BenchmarkDataPlane.of(
              PaperBenchmark.of(dataSet, read, catalogue),
              folder.path().resolve("answers.jsonl"),
              catalogue),
          catalogue,
          seeds,
          progress);
    } catch (RuntimeException | InterruptedException e) {
      folder.close();
      throw e;
    }
  }

  /** Runs all searches of one configuration. */
  SearchResult result(SearchSetup setup) throws InterruptedException {
    String title = dataPlane.benchmark().dataSet().title();
    progress.accept(
        "%s: %s, %s, %d samples"
            .formatted(title, setup.objective(), setup.policy().label(), setup.samples()));
    List<Callable<SearchResult.Trial>> calls = new ArrayList<>();
    for (long seed = 0; seed < seeds; seed++) {
      long own = seed;
      calls.add(() -> run(setup, own));
    }
    List<SearchResult.Trial> trials = new ArrayList<>();
    try {
      for (Future<SearchResult.Trial> trial : pool.invokeAll(calls)) {
        trials.add(trial.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException(String.valueOf(e.getCause()), e.getCause());
    }
    return SearchResult.of(title, setup, trials);
  }

  private SearchResult.Trial run(SearchSetup setup, long seed) throws InterruptedException {
    PaperBenchmark.Split split = dataPlane.benchmark().split(seed);
    OfflineSearch.Found found =
        OfflineSearch.run(
            setup.program(dataPlane.benchmark().program()),
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
    return new SearchResult.Trial(
        plan == null ? PlanScore.NO_PLAN : PlanScore.of(plan.steps(), dataPlane, split.test()),
        found.usd(),
        found.seconds());
  }

  @Override
  public void close() {
    pool.shutdownNow();
    folder.close();
  }
}
