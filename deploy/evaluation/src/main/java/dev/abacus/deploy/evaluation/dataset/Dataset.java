package dev.abacus.deploy.evaluation.dataset;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.ValidationExample;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.Stream;

/**
 * A data set converted for {@code abacus run}: a program and its input files.
 *
 * @param program YAML of the program
 * @param source name of the program's source
 * @param references items by name of the program's reference
 */
public record Dataset(
    String program,
    String source,
    List<LabelledDocument> documents,
    Map<String, List<ObjectNode>> references) {

  /** Split of the validation examples. */
  public static final String VALIDATION = "validation";

  public Dataset {
    documents = List.copyOf(documents);
    references = Collections.unmodifiableMap(new LinkedHashMap<>(references));
  }

  /** Split of the documents that are processed: {@code test} if present, else {@code train}. */
  private String documentSplit() {
    return split("test").findAny().isPresent() ? "test" : "train";
  }

  /** The documents that are processed, then the validation examples. */
  private List<LabelledDocument> used() {
    return Stream.concat(split(documentSplit()), split(VALIDATION)).toList();
  }

  /**
   * Returns the same data set with its documents and validation examples dealt out anew at random,
   * as many of each as before. The splits of a data set may differ in length and kind; promises are
   * made for documents as the examples are, so compare them on random splits.
   */
  Dataset resplit(long seed) {
    List<LabelledDocument> shuffled = new ArrayList<>(used());
    Collections.shuffle(shuffled, new Random(seed));
    String processed = documentSplit();
    long examples = split(VALIDATION).count();
    List<LabelledDocument> dealt = new ArrayList<>();
    for (LabelledDocument document : shuffled) {
      dealt.add(document.withSplit(dealt.size() < examples ? VALIDATION : processed));
    }
    return new Dataset(program, source, dealt, references);
  }

  /**
   * Counts of the written files.
   *
   * @param split split of the documents that are processed
   * @param documents number of documents
   * @param validation number of validation examples
   * @param answers number of documents in the answers file
   * @param references number of items by reference; {@code <reference>.jsonl} has the items
   */
  public record Written(
      String split, int documents, int validation, int answers, Map<String, Integer> references) {

    public Written {
      references = Collections.unmodifiableMap(new LinkedHashMap<>(references));
    }
  }

  /**
   * Writes {@code program.yaml}, {@code documents.jsonl} with {@code labels.jsonl}, {@code
   * validation.jsonl}, {@code answers.jsonl} and a file for each reference.
   *
   * @throws InvalidFileException if the folder cannot be written
   */
  public Written writeTo(Path folder) {
    String processed = documentSplit();
    JsonLines.write(
        folder.resolve("documents.jsonl"), split(processed).map(LabelledDocument::document));
    JsonLines.write(
        folder.resolve("labels.jsonl"), split(processed).map(LabelledDocument::labelLine));
    JsonLines.write(
        folder.resolve("validation.jsonl"),
        split(VALIDATION).map(document -> document.exampleLine(source)));
    JsonLines.write(
        folder.resolve("answers.jsonl"), used().stream().map(LabelledDocument::answerLine));
    Map<String, Integer> items = new LinkedHashMap<>();
    references.forEach((name, list) -> {
      JsonLines.write(folder.resolve(name + ".jsonl"), list.stream());
      items.put(name, list.size());
    });
    Path programFile = folder.resolve("program.yaml");
    try {
      Files.writeString(programFile, program);
    } catch (IOException e) {
      throw InvalidFileException.of(programFile, "cannot be written: " + e.getMessage(), e);
    }
    int examples = (int) split(VALIDATION).count();
    int all = used().size();
    return new Written(processed, all - examples, examples, all, items);
  }

  /** Returns all documents with their labels: those to process, then the validation examples. */
  public List<ValidationExample> examples() {
    return used().stream().map(document -> document.example(source)).toList();
  }

  /** Returns the items by name of the program's reference. */
  public Map<String, List<Document>> items() {
    Map<String, List<Document>> items = new LinkedHashMap<>();
    references.forEach((name, list) -> items.put(name, list.stream().map(Document::of).toList()));
    return items;
  }

  private Stream<LabelledDocument> split(String split) {
    return documents.stream().filter(document -> document.split().equals(split));
  }

  /**
   * Reads the published splits from a file each; that of the test split may be missing.
   *
   * @param reader makes a document of a line and the name of its split
   * @throws InvalidFileException if a file is missing or a line is malformed
   */
  static List<LabelledDocument> readSplits(
      Path folder, BiFunction<JsonLines.Line, String, LabelledDocument> reader) {
    List<LabelledDocument> documents = new ArrayList<>();
    for (String split : List.of("test", "train", VALIDATION)) {
      Path file = folder.resolve(split + ".jsonl");
      if (!split.equals("test") || Files.exists(file)) {
        JsonLines.read(file).forEach(line -> documents.add(reader.apply(line, split)));
      }
    }
    return documents;
  }

  /**
   * Returns the texts of a field.
   *
   * @throws InvalidFileException if there are none
   */
  static ArrayNode texts(JsonLines.Line line, String field) {
    ArrayNode texts = JsonNodeFactory.instance.arrayNode();
    line.object().get(field).forEach(text -> texts.add(text.asText()));
    if (texts.isEmpty()) {
      throw line.wrong("'" + field + "' is missing or empty");
    }
    return texts;
  }

  /**
   * Reads a text file from the class path.
   *
   * @param path relative to this package, or absolute
   */
  public static String resource(String path) {
    try (InputStream resource =
        Objects.requireNonNull(Dataset.class.getResourceAsStream(path), path)) {
      return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(path, e);
    }
  }
}
