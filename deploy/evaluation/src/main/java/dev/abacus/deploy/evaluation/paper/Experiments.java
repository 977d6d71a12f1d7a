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

/** All experiments, one data set after the other, so that one is in memory at a time. */
final class Experiments {

  private Experiments() {}

  /**
   * Runs those of these tables that there are for these data sets.
   *
   * @param data a folder with a folder for each data set
   * @param soFar is given the report after each of them, so that what was found outlives an
   *     interruption
   */
  static Report run(
      Path data,
      Set<DataSet> dataSets,
      Set<Table> tables,
      Scope scope,
      int seeds,
      Consumer<Report> soFar) {
    List<String> titles = dataSets.stream().map(DataSet::title).toList();
    Map<Table, Findings> findings = new EnumMap<>(Table.class);
    try {
      for (DataSet dataSet : dataSets) {
        Path folder = Files.createTempDirectory("abacus-paper-");
        try {
          run(
              data,
              dataSet,
              folder,
              tables,
              scope,
              seeds,
              findings,
              () -> soFar.accept(new Report(findings, seeds, titles)));
        } finally {
          remove(folder);
        }
      }
    } catch (IOException e) {
      throw CommandFailure.failed(
          "no temporary folder can be used: " + e.getMessage(), "Set -Djava.io.tmpdir.", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw CommandFailure.failed("interrupted", "Run it again.", e);
    }
    return new Report(findings, seeds, titles);
  }

  private static void run(
      Path data,
      DataSet dataSet,
      Path folder,
      Set<Table> tables,
      Scope scope,
      int seeds,
      Map<Table, Findings> findings,
      Runnable found)
      throws InterruptedException {
    scope.progress().accept(dataSet.title() + ": reading documents");
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    Benchmark benchmark =
        Benchmark.from(dataSet, dataSet.read(data.resolve(dataSet.folder())), folder, catalogue);
    World world = World.of(benchmark, folder.resolve("answers.jsonl"), catalogue);
    try (Trials trials = new Trials(world, catalogue, seeds)) {
      for (Table table : tables) {
        if (table.dataSets().contains(dataSet)) {
          findings.merge(table, run(table, trials, scope), Findings::and);
          found.run();
        }
      }
    }
  }

  private static Findings run(Table table, Trials trials, Scope scope) throws InterruptedException {
    return switch (table) {
      case QUALITY -> QualityExperiment.run(trials, scope);
      case CHEAP -> CheapExperiment.run(trials, scope);
      case PRIORS -> PriorsExperiment.run(trials, scope);
      case BOUNDS -> BoundsExperiment.run(trials, scope);
      case ABLATION -> AblationExperiment.run(trials, scope);
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
