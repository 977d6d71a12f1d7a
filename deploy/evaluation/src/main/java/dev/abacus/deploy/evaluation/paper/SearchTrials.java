package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.plan.PhysicalPlan;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/**
 * Searches over the labelled documents of one data set. Each takes a random half of them, and its
 * plan is measured on the other half.
 *
 * @param dataSet title of the data set
 * @param seeds searches per configuration
 * @param progress receives a description of each configuration
 */
record SearchTrials(
    String dataSet,
    Program program,
    List<ValidationExample> documents,
    BenchmarkDataPlane dataPlane,
    ModelCatalogue catalogue,
    int seeds,
    Consumer<String> progress) {

  private static final int FEWEST = 5;

  /**
   * Reads a data set; fails if it has too few documents.
   *
   * @param data folder with the data sets
   * @throws dev.abacus.deploy.file.InvalidFileException if a file is missing or malformed
   */
  static SearchTrials of(PaperDataset dataSet, Path data, int seeds, Consumer<String> progress)
      throws InterruptedException {
    progress.accept(dataSet.title() + ": reading documents");
    ModelCatalogue catalogue = ModelCatalogue.builtIn();
    Dataset read = dataSet.read(data.resolve(dataSet.folder()));
    List<ValidationExample> documents = read.examples();
    if (documents.size() < FEWEST) {
      throw CommandFailure.invalid(
          "%s has %d documents; at least %d are needed"
              .formatted(dataSet.title(), documents.size(), FEWEST),
          "Name the folder of the whole data set with --data.");
    }
    try (DataFolder folder = DataFolder.of(null, "paper")) {
      read.writeTo(folder.path());
      Program program = new ProgramParser(catalogue).parse(read.program());
      return new SearchTrials(
          dataSet.title(),
          program,
          documents,
          BenchmarkDataPlane.of(
              program, read.items(), folder.path().resolve("answers.jsonl"), catalogue),
          catalogue,
          seeds,
          progress);
    } catch (InvalidTextException e) {
      throw new IllegalStateException("the data set's own program is invalid", e);
    }
  }

  /** Runs all searches of one configuration. */
  SearchResult result(SearchSetup setup) {
    progress.accept(
        "%s: %s, %s, %d samples"
            .formatted(dataSet, setup.objective(), setup.policy().label(), setup.samples()));
    return SearchResult.of(
        dataSet, setup, SeededTrials.run(seeds, seed -> run(setup, seed), _ -> {}));
  }

  private SearchResult.Trial run(SearchSetup setup, long seed) throws InterruptedException {
    List<ValidationExample> shuffled = new ArrayList<>(documents);
    Collections.shuffle(shuffled, new Random(seed * 31 + 7));
    int half = shuffled.size() / 2;
    OfflineSearch.Found found =
        OfflineSearch.run(
            setup.program(program),
            shuffled.subList(0, half),
            setup.settings(seed, catalogue),
            dataPlane::sample);
    PhysicalPlan plan = found.plan();
    return new SearchResult.Trial(
        found,
        plan == null
            ? PlanScore.NO_PLAN
            : PlanScore.of(plan, program, dataPlane, shuffled.subList(half, shuffled.size())));
  }
}
