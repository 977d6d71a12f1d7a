package dev.abacus.deploy.evaluation.paper;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The program of a benchmark and its labelled documents.
 *
 * @param pool the documents that a split divides
 * @param references reference items, by name of the reference
 */
record PaperBenchmark(
    PaperDataset dataSet,
    Program program,
    List<ValidationExample> pool,
    Map<String, List<Document>> references) {

  private static final int FEWEST = 5;

  PaperBenchmark {
    pool = List.copyOf(pool);
    references = Map.copyOf(references);
  }

  /**
   * Documents of one trial.
   *
   * @param search documents that the plan search samples
   * @param test documents that measure the chosen plan
   */
  record Split(List<ValidationExample> search, List<ValidationExample> test) {}

  /** Divides the pool at random into halves for search and test. */
  Split split(long seed) {
    List<ValidationExample> shuffled = new ArrayList<>(pool);
    Collections.shuffle(shuffled, new Random(seed * 31 + 7));
    int half = shuffled.size() / 2;
    return new Split(shuffled.subList(0, half), shuffled.subList(half, shuffled.size()));
  }

  /** Takes all documents of a data set; fails if it has too few. */
  static PaperBenchmark of(PaperDataset dataSet, Dataset data, ModelCatalogue catalogue) {
    List<ValidationExample> examples = data.examples();
    if (examples.size() < FEWEST) {
      throw CommandFailure.invalid(
          "%s has %d documents; at least %d are needed"
              .formatted(dataSet.title(), examples.size(), FEWEST),
          "Name the folder of the whole data set with --data.");
    }
    try {
      Program program = new ProgramParser(catalogue).parse(data.program());
      return new PaperBenchmark(dataSet, program, examples, data.references());
    } catch (InvalidTextException e) {
      throw new IllegalStateException("the data set's own program is invalid", e);
    }
  }
}
