package dev.abacus.deploy.evaluation.paper;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * The program of a benchmark and its labelled documents.
 *
 * @param forPriors documents for sampling priors, excluded from every split
 * @param pool all other documents; a split divides them
 * @param references reference items, by name of the reference
 */
record PaperBenchmark(
    PaperDataset dataSet,
    Program program,
    List<ValidationExample> forPriors,
    List<ValidationExample> pool,
    Map<String, List<Document>> references) {

  /** Number of documents for sampling priors in the paper (section 4.4). */
  static final int FOR_PRIORS = 5;

  private static final int FEWEST = 5;

  PaperBenchmark {
    forPriors = List.copyOf(forPriors);
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

  /**
   * Loads a data set through the files that {@code abacus dataset} writes.
   *
   * @param folder folder for these files
   * @throws InvalidFileException if the data set has too few documents
   */
  static PaperBenchmark from(
      PaperDataset dataSet, Dataset data, Path folder, ModelCatalogue catalogue) {
    data.writeTo(folder);
    Program program = program(folder.resolve("program.yaml"), catalogue);
    String source = program.sources().getFirst().name();
    Map<String, Map<String, JsonNode>> labels = new HashMap<>();
    for (JsonLines.Line line : JsonLines.read(folder.resolve("labels.jsonl"))) {
      labels.put(line.text("id"), labels(line));
    }
    List<ValidationExample> examples = new ArrayList<>();
    for (JsonLines.Line line : JsonLines.read(folder.resolve("documents.jsonl"))) {
      String id = line.text("id");
      examples.add(
          new ValidationExample(id, source, line.object(), labels.getOrDefault(id, Map.of())));
    }
    int forPriors = Math.min(FOR_PRIORS, examples.size() / 4);
    for (JsonLines.Line line : JsonLines.read(folder.resolve("validation.jsonl"))) {
      if (line.object().get("document") instanceof ObjectNode document) {
        examples.add(
            new ValidationExample(line.text("id"), source, Document.of(document), labels(line)));
      }
    }
    if (examples.size() < FEWEST) {
      throw InvalidFileException.of(
          folder,
          "%s has %d documents; at least %d are needed"
              .formatted(dataSet.title(), examples.size(), FEWEST));
    }
    Map<String, List<Document>> references = new HashMap<>();
    for (Reference reference : program.references()) {
      references.put(
          reference.name(),
          JsonLines.read(folder.resolve(reference.name() + ".jsonl")).stream()
              .map(JsonLines.Line::object)
              .toList());
    }
    return new PaperBenchmark(
        dataSet,
        program,
        examples.subList(0, forPriors),
        examples.subList(forPriors, examples.size()),
        references);
  }

  private static Program program(Path file, ModelCatalogue catalogue) {
    try {
      return new ProgramParser(catalogue).parse(Files.readString(file));
    } catch (InvalidTextException e) {
      throw InvalidFileException.of(file, String.valueOf(e.getMessage()), e);
    } catch (IOException e) {
      throw InvalidFileException.of(file, "cannot be read", e);
    }
  }

  private static Map<String, JsonNode> labels(JsonLines.Line line) {
    Map<String, JsonNode> labels = new LinkedHashMap<>();
    line.object()
        .get("labels")
        .properties()
        .forEach(label -> labels.put(label.getKey(), label.getValue()));
    return labels;
  }
}
