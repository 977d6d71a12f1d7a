package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** Runs the experiments one data set at a time, so that memory holds only one data set. */
final class PaperExperiments {

  private PaperExperiments() {}

  /**
   * Runs the requested tables for the requested data sets, as far as the paper has them.
   *
   * @param data folder with one subfolder per data set
   * @param soFar receives the report after each experiment, so that an interruption keeps the
   *     results
   */
  static PaperReport run(
      Path data,
      Set<PaperDataset> dataSets,
      Set<PaperTable> tables,
      PaperOptions options,
      int seeds,
      Consumer<PaperReport> soFar) {
    List<String> titles = dataSets.stream().map(PaperDataset::title).toList();
    Map<PaperTable, TableResult> findings = new EnumMap<>(PaperTable.class);
    try {
      for (PaperDataset dataSet : dataSets) {
        Path folder = Files.createTempDirectory("abacus-paper-");
        try {
          run(
              data,
              dataSet,
              folder,
              tables,
              options,
              seeds,
              findings,
              () -> soFar.accept(new PaperReport(findings, seeds, titles)));
        } finally {
          remove(folder);
        }
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          "cannot use a temporary folder: " + e.getMessage(), "Set -Djava.io.tmpdir.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted", "Run it again.", e);
    }
    return new PaperReport(findings, seeds, titles);
  }

  private static void run(
      Path data,
      PaperDataset dataSet,
      Path folder,
      Set<PaperTable> tables,
      PaperOptions options,
      int seeds,
      Map<PaperTable, TableResult> findings,
      Runnable found)
      throws InterruptedException {
    options.progress().accept(dataSet.title() + ": reading documents");
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    PaperBenchmark benchmark =
        PaperBenchmark.from(
            dataSet, dataSet.read(data.resolve(dataSet.folder())), folder, catalogue);
    BenchmarkDataPlane dataPlane =
        BenchmarkDataPlane.of(benchmark, folder.resolve("answers.jsonl"), catalogue);
    try (SearchTrials trials = new SearchTrials(dataPlane, catalogue, seeds)) {
      for (PaperTable table : tables) {
        if (table.dataSets().contains(dataSet)) {
          findings.merge(table, run(table, trials, options), TableResult::and);
          found.run();
        }
      }
    }
  }

  private static TableResult run(PaperTable table, SearchTrials trials, PaperOptions options)
      throws InterruptedException {
    return switch (table) {
      case QUALITY -> QualityExperiment.run(trials, options);
      case CHEAP -> CostLatencyExperiment.run(trials, options);
      case PRIORS -> PriorsExperiment.run(trials, options);
      case BOUNDS -> BoundsExperiment.run(trials, options);
      case ABLATION -> AblationExperiment.run(trials, options);
    };
  }

  private static void remove(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}
