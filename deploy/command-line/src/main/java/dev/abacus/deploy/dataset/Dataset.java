package dev.abacus.deploy.dataset;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;

/** A data set made ready for {@code abacus run}: a program, and files in the forms it takes. */
public final class Dataset {

  static final String VALIDATION = "validation";

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String program;
  private final String source;
  private final String documentSplit;
  private final List<LabelledDocument> documents;
  private final Function<LabelledDocument, Map<String, JsonNode>> labels;

  /**
   * @param program its YAML
   * @param source name of the program's source
   * @param labels by operator id, as validation examples state them
   */
  Dataset(
      String program,
      String source,
      List<LabelledDocument> documents,
      Function<LabelledDocument, Map<String, JsonNode>> labels) {
    this.program = program;
    this.source = source;
    this.documents = List.copyOf(documents);
    this.labels = labels;
    this.documentSplit = split("test").findAny().isPresent() ? "test" : "train";
  }

  /**
   * What was written.
   *
   * @param split which split of the data set the documents are: {@code test} where it is there,
   *     else {@code train}
   */
  public record Written(String split, int documents, int validation, int answers) {}

  /**
   * Writes {@code program.yaml}, {@code documents.jsonl}, {@code validation.jsonl} and {@code
   * answers.jsonl}.
   *
   * @throws InvalidFileException if the folder cannot be written
   */
  public Written writeTo(Path folder) {
    JsonLines.write(
        folder.resolve("documents.jsonl"), split(documentSplit).map(LabelledDocument::document));
    JsonLines.write(folder.resolve("validation.jsonl"), split(VALIDATION).map(this::example));
    List<LabelledDocument> used = Stream.concat(split(documentSplit), split(VALIDATION)).toList();
    JsonLines.write(folder.resolve("answers.jsonl"), used.stream().map(LabelledDocument::answer));
    Path programFile = folder.resolve("program.yaml");
    try {
      Files.writeString(programFile, program);
    } catch (IOException e) {
      throw InvalidFileException.of(programFile, "cannot be written: " + e.getMessage(), e);
    }
    int examples = (int) split(VALIDATION).count();
    return new Written(documentSplit, used.size() - examples, examples, used.size());
  }

  private ObjectNode example(LabelledDocument document) {
    ObjectNode example = JSON.objectNode().put("id", document.id()).put("source", source);
    example.set("document", document.document());
    example.putObject("labels").setAll(labels.apply(document));
    return example;
  }

  private Stream<LabelledDocument> split(String split) {
    return documents.stream().filter(document -> document.split().equals(split));
  }
}
