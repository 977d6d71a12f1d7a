package dev.abacus.deploy.cli.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.cli.option.Output;
import dev.abacus.deploy.cli.option.Terminal;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code abacus init}: a starter program from a documents file, or from questions. */
@Command(
    name = "init",
    description = {
      "Write a starter program.",
      "With --documents, key and fields are those of the file; without it, questions on the "
          + "terminal ask for them."
    },
    footer = "  abacus init tickets --documents documents.jsonl")
public final class InitCommand implements Runnable {

  /** Documents that are read to learn the fields. */
  private static final int INSPECTED = 100;

  /** Names of fields that usually identify a document, the most usual first; then any field. */
  private static final List<String> KEYS = List.of("id", "key", "uuid", "_id");

  @Parameters(index = "0", paramLabel = "NAME", description = "Name of the program.")
  private String name = "";

  @Option(
      names = "--documents",
      paramLabel = "F.jsonl",
      description = "Documents, as for `run`; the fields are those of the first 100.")
  private @Nullable Path documents;

  @Option(
      names = "--to",
      paramLabel = "FILE",
      description = "File to write (default: program.yaml); an existing file is not replaced.")
  private Path target = Path.of("program.yaml");

  @Mixin private Output output = new Output();

  /** What the program says of its documents. */
  private record Shape(String key, List<String> texts) {}

  @Override
  public void run() {
    String mistake = ProgramParser.nameMistake(name);
    if (mistake != null) {
      throw CommandFailure.invalid(mistake, "Give another name, such as support-triage.");
    }
    Shape shape = documents == null ? asked() : of(documents);
    try {
      Files.writeString(target, program(shape), StandardOpenOption.CREATE_NEW);
    } catch (FileAlreadyExistsException e) {
      throw CommandFailure.invalid(target + " exists", "Name another file with --to.");
    } catch (IOException e) {
      throw CommandFailure.invalid(
          "%s cannot be written: %s".formatted(target, e.getMessage()), "Name another with --to.");
    }
    String program = JsonLines.argument(target);
    String from = JsonLines.argument(documents == null ? Path.of("documents.jsonl") : documents);
    output.data(
        Map.of("program", name, "file", target.toString()),
        List.of(
            "wrote %s, with the key %s; edit its instructions and fields, then check it:"
                .formatted(target, shape.key()),
            "  abacus validate %s --documents %s".formatted(program, from),
            "and try it:",
            "  abacus run %s --local --documents %s --results results.jsonl"
                .formatted(program, from)));
  }

  private static Shape of(Path file) {
    List<Document> some =
        JsonLines.read(file).stream().limit(INSPECTED).map(JsonLines.Line::object).toList();
    List<String> common =
        some.stream()
            .flatMap(document -> document.fieldNames().stream())
            .distinct()
            .filter(field -> some.stream().allMatch(document -> document.has(field)))
            .toList();
    String key =
        Stream.concat(KEYS.stream().filter(common::contains), common.stream())
            .filter(field -> identifies(field, some))
            .findFirst()
            .orElseThrow(() ->
                CommandFailure.invalid(
                    "%s: no field of all documents identifies them (%s)".formatted(file, common),
                    "Give each document a field 'id' with a value of its own, without blanks."));
    // The longest texts first: they are what a model has to read.
    List<String> texts =
        common.stream()
            .filter(field -> !field.equals(key) && length(field, some) > 0)
            .sorted(Comparator.comparingInt(field -> -length(field, some)))
            .toList();
    CommandFailure.require(
        !texts.isEmpty(),
        file + ": no field of all documents is a text",
        "Give each document a text field.");
    return new Shape(key, texts.subList(0, Math.min(3, texts.size())));
  }

  private static boolean identifies(String field, List<Document> documents) {
    List<String> values = documents.stream().map(one -> one.get(field).asText()).toList();
    return values.stream().allMatch(value -> value.matches("\\S+"))
        && Set.copyOf(values).size() == values.size();
  }

  private static int length(String field, List<Document> documents) {
    return documents.stream()
        .map(one -> one.get(field))
        .filter(JsonNode::isTextual)
        .mapToInt(text -> text.textValue().length())
        .sum();
  }

  private Shape asked() {
    CommandFailure.require(
        Terminal.isInteractive(),
        "the fields of the documents are not known",
        "Name a file with --documents.");
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    String key = answer(in, "Which field identifies a document?", "id");
    String text = answer(in, "Which field has the text that a model reads?", "text");
    return new Shape(key, List.of(text));
  }

  private String answer(BufferedReader in, String question, String otherwise) {
    output.err().print("%s [%s] ".formatted(question, otherwise));
    output.err().flush();
    try {
      String line = in.readLine();
      return line == null || line.isBlank() ? otherwise : line.strip();
    } catch (IOException e) {
      return otherwise;
    }
  }

  private String program(Shape shape) {
    String texts = String.join(", ", shape.texts().stream().map(InitCommand::quoted).toList());
    return """
    # A starter program: change instructions and fields to what you need. All keys: docs/operators.md
    program: %1$s
    sources:
      documents: { topic: %1$s.documents, format: json, key: %2$s }
    operators:
      - filter: is-relevant
        condition: The document is relevant to its reader.
        reads: [%3$s]
      - map: describe
        instruction: Summarize the document in one sentence and name its topic.
        reads: [%3$s]
        writes:
          summary: { type: string, description: one sentence }
          topic: { type: string, enum: [question, complaint, praise, other] }
    results: { topic: %1$s.results, format: json }
    objective: { maximize: quality, subjectTo: { cost: 0.002 } }
    """
        .formatted(name, quoted(shape.key()), texts);
  }

  /** A field as YAML, which takes strings as JSON has them. */
  private static String quoted(String field) {
    return field.matches("[A-Za-z_][A-Za-z0-9_]*") && !field.equalsIgnoreCase("null")
        ? field
        : TextNode.valueOf(field).toString();
  }
}
