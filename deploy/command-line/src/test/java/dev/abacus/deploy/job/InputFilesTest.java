package dev.abacus.deploy.job;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.deploy.cli.Run;
import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Format;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class InputFilesTest {

  private static final byte[] PNG = {(byte) 0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n', 0};

  private static final Source SOURCE = new Source("messages", "t", Format.JSON, "id");

  @TempDir Path folder;

  private Path file(String content) throws Exception {
    return Files.writeString(folder.resolve("f.jsonl"), content);
  }

  private static Program program() throws Exception {
    return new ProgramParser(ModelCatalogue.builtIn())
        .parse(Files.readString(Path.of("../examples/support-triage/program.yaml")));
  }

  @Test
  void aFileIsGivenToASourceWithADotInItsName() throws Exception {
    Path documents = file("{\"id\": \"a\"}\n");
    Path program =
        Files.writeString(
            folder.resolve("p.yaml"),
            """
            program: p
            sources: { eu.orders: { topic: eu }, us.orders: { topic: us } }
            operators:
              - { join: both, input: eu.orders, with: us.orders, within: 1h, on: id, into: other }
            results: { topic: out }
            """);
    Run run =
        Run.of(
            "validate",
            program.toString(),
            "--documents",
            "eu.orders=" + documents,
            "--documents",
            "us.orders=" + documents);
    assertThat(run.out()).contains("1 documents of eu.orders fit", "1 documents of us.orders fit");
  }

  @Test
  void aResultsFileThatCannotBeWrittenIsRefusedBeforeAnythingIsPaid() throws Exception {
    Path documents = file("{\"id\": \"a\", \"text\": \"x\"}\n");
    Run run =
        Run.of(
            "run",
            "../examples/support-triage/program.yaml",
            "--local",
            "--documents",
            documents.toString(),
            "--results",
            documents.resolve("results.jsonl").toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err())
        .contains("results.jsonl: cannot be written")
        .doesNotContain("started", "note:");
  }

  /** Models may cut an emoji in two. */
  @Test
  void halfACharacterDoesNotKeepResultsFromBeingWritten() throws Exception {
    Path results = folder.resolve("results.jsonl");
    Document cut = Document.parse("{\"text\": \"so \\ud83d\"}");
    JsonLines.write(results, Stream.of(cut.toJson()));
    assertThat(JsonLines.read(results)).extracting(JsonLines.Line::object).containsExactly(cut);
  }

  @Test
  void documentsHaveTheSourcesKey() throws Exception {
    Path file = file("{\"id\": \"a\", \"text\": \"x\"}\n\n{\"id\": 7}\n");

    assertThat(InputDocument.read(file, SOURCE))
        .extracting(InputDocument::key)
        .containsExactly("a", "7");
  }

  @Test
  void aDocumentWithoutKeyIsRefusedWithItsLine() throws Exception {
    Path file = file("{\"id\": \"a\"}\n{\"text\": \"x\"}\n");

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining("f.jsonl, line 2: the field 'id'");
  }

  @Test
  void aLineThatIsNoObjectIsRefusedWithItsLine() throws Exception {
    Path file = file("{\"id\": \"a\"}\n[1]\n");

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE))
        .hasMessageContaining("line 2: not a JSON object");
  }

  @Test
  void allMistakesOfAFileAreToldAtOnceInPlainWords() throws Exception {
    Path file =
        file(
            "{\"id\": \"a\"}\n{\"text\": \"x\"}\n{\"id\": x}\n{\"id\": \"b\"\n{\"id\": 1, \"id\": 2}\n");

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE))
        .hasMessageContaining("line 2: the field 'id'")
        .hasMessageContaining("line 3: not valid JSON: unexpected 'x' at column 8")
        .hasMessageContaining("line 4: not valid JSON: it ends too early")
        .hasMessageContaining("line 5: not valid JSON: the key 'id' occurs twice")
        .extracting(Throwable::getMessage, InstanceOfAssertFactories.STRING)
        .doesNotContainIgnoringCase("jackson", "code ", "token");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `[{"id": 1}, {"id": 2}]`           | a JSON array, and JSON Lines are needed
          `[\n  {"id": 1}\n]`                | a JSON array, and JSON Lines are needed
          `{\n  "id": 1\n}`                  | an object over several lines
          `id,text\n1,x`                     | neither JSON Lines nor named .csv
          """)
  void anotherFormatIsNamed(String content, String message) throws Exception {
    Path file = file(content.replace("\\n", "\n"));

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE)).hasMessageContaining(message);
  }

  @Test
  void aCsvFileHasADocumentPerRow() throws Exception {
    Path file =
        Files.writeString(
            folder.resolve("F.CSV"),
            """
            \uFEFFid,text,price,new,zip
            a,"two
            lines, ""quoted\""\",1.50,true,01234
            b,,2,false,99999

            """);

    assertThat(InputDocument.read(file, SOURCE))
        .extracting(one -> one.document().toString())
        .containsExactly(
            "{\"id\":\"a\",\"text\":\"two\\nlines, \\\"quoted\\\"\",\"price\":1.50,\"new\":true,\"zip\":\"01234\"}",
            "{\"id\":\"b\",\"price\":2,\"new\":false,\"zip\":\"99999\"}");
  }

  @Test
  void aFolderOfFilesIsOneDocumentForEachFile() throws Exception {
    Files.writeString(folder.resolve("b.txt"), "Second.");
    Files.write(folder.resolve("a.png"), PNG);
    Source files = new Source("letters", "t", Format.FILE, "name");
    List<InputDocument> documents = InputDocument.read(folder, files);

    assertThat(documents).extracting(InputDocument::key).containsExactly("a.png", "b.txt");
    assertThat(documents.getFirst().document().get("name").asText()).isEqualTo("a.png");
    try (DocumentFormats formats = new DocumentFormats(Map.of())) {
      assertThat(formats.write("t", Format.FILE, documents.getFirst().document())).isEqualTo(PNG);
      assertThat(formats.write("t", Format.FILE, Document.parse("{\"content\":\"As text.\"}")))
          .isEqualTo("As text.".getBytes(UTF_8));
    }
    assertThatThrownBy(() -> InputDocument.read(folder, SOURCE))
        .hasMessageContaining("the documents of source 'messages' are no files");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          `id,text\na,x\nb,y,z`   | line 3: has 3 values, and the header has 2 names
          `id,id\na,x`            | line 1: the header names the column 'id' twice
          `id,text\n,x`           | line 2: the field 'id', which is the key
          `id,text\na,"x`         | line 2: not valid CSV: is a quote not closed?
          """)
  void aBadCsvFileIsRefusedWithItsLine(String content, String message) throws Exception {
    Path file = Files.writeString(folder.resolve("f.csv"), content.replace("\\n", "\n"));

    assertThatThrownBy(() -> InputDocument.read(file, SOURCE)).hasMessageContaining(message);
  }

  @Test
  void aFileWithoutExamplesIsRefused() throws Exception {
    Path file = file("\n");

    assertThatThrownBy(() -> ExampleFile.read(file, program()))
        .hasMessageContaining("f.jsonl: holds no validation example");
  }

  @Test
  void aMissingFileIsSaidSo() {
    assertThatThrownBy(() -> InputDocument.read(folder.resolve("none.jsonl"), SOURCE))
        .hasMessageContaining("none.jsonl: no such file");
  }

  @Test
  void theSampleExamplesAreRead() throws Exception {
    assertThat(ExampleFile.read(Path.of("../examples/support-triage/validation.jsonl"), program()))
        .hasSize(48)
        .allSatisfy((id, example) -> assertThat(example.has("id")).isFalse());
  }

  @Test
  void aSecondExampleIsFoundAlsoIfTheFirstIsWrong() throws Exception {
    Path file =
        file(
            """
            {"id": "v", "source": "messages", "document": {"id": "v"}, "labels": {"no": true}}
            {"id": "v", "source": "messages", "document": {"id": "v"}}
            """);
    Program program = program();

    assertThatThrownBy(() -> ExampleFile.read(file, program))
        .hasMessageContaining("line 1: unknown operator 'no'")
        .hasMessageContaining("line 2: a second example has the id 'v'");
  }

  @Test
  void anExampleOfAnUnknownOperatorIsRefusedWithItsLine() throws Exception {
    Path file =
        file(
            "{\"id\": \"v\", \"source\": \"messages\", \"document\": {}, \"labels\": {\"clasify\": {}}}");

    assertThatThrownBy(() -> ExampleFile.read(file, program()))
        .hasMessageContaining("line 1: unknown operator 'clasify'; did you mean 'classify'?");
  }

  private static final Reference TERMS =
      new Reference("terms", "t", Format.JSON, "label", List.of("label", "title"));

  @Test
  void itemsOfAReferenceHaveItsKey() throws Exception {
    Path file =
        file("{\"label\": \"a\", \"title\": \"A\"}\n{\"label\": \"b\", \"title\": \"B\"}\n");

    assertThat(InputDocument.read(file, TERMS))
        .extracting(InputDocument::key)
        .containsExactly("a", "b");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"title": "A"}                  | line 2: the field 'label', which is the key of reference 'terms', is missing
          {"label": "b"}                  | line 2: the field 'title', which reference 'terms' embeds, is missing
          {"label": "b", "title": " "}    | line 2: the field 'title', which reference 'terms' embeds, is missing or empty
          {"label": "b", "title": []}     | line 2: the field 'title', which reference 'terms' embeds, is missing or empty
          {"label": "a", "title": "B"}    | line 2: a second item has the key 'a'
          "b"                             | line 2: not a JSON object
          """)
  void aBadItemIsRefusedWithItsLine(String line, String message) throws Exception {
    Path file = file("{\"label\": \"a\", \"title\": \"A\"}\n" + line + "\n");

    assertThatThrownBy(() -> InputDocument.read(file, TERMS))
        .isInstanceOf(InvalidFileException.class)
        .hasMessageContaining(message);
  }

  @Test
  void aReferenceWithoutItemsIsRefused() throws Exception {
    Path file = file("\n");

    assertThatThrownBy(() -> InputDocument.read(file, TERMS))
        .hasMessageContaining("f.jsonl: holds no item of reference 'terms'");
  }

  @Test
  void anItemWithoutAnyTextIsRefusedWhereAllTextIsEmbedded() throws Exception {
    Path file = file("{\"id\": 1, \"size\": 2}\n");
    Reference all = new Reference("terms", "t", Format.JSON, "id", List.of());

    assertThatThrownBy(() -> InputDocument.read(file, all))
        .hasMessageContaining("line 1: the item has no text");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "is-problem": "yes"                   | line 1: the label of 'is-problem' is neither true nor false
          "classify": "refund_request"          | line 1: the label of 'classify' is not an object of fields
          "classify": {"urgency": 9}            | line 1: the label of 'classify' does not fit: urgency: must be at most 5, but is 9
          "classify": {"intent": "othr"}        | line 1: the label of 'classify' does not fit: intent: must be one of
          "classify": {"intend": "other"}       | line 1: the label of 'classify' has an unknown field 'intend'; did you mean 'intent'?
          """)
  void aLabelThatDoesNotFitItsOperatorIsRefusedWithItsLine(String label, String message)
      throws Exception {
    Path file =
        file(
            "{\"id\": \"v\", \"source\": \"messages\", \"document\": {}, \"labels\": {%s}}"
                .formatted(label));

    assertThatThrownBy(() -> ExampleFile.read(file, program())).hasMessageContaining(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          ["a", 7]                   |
          {"a": 3, "b": 0}           |
          "a"                        | line 1: the label of 'best' is neither a list of the keys of the right items nor an object
          [{"id": "a"}]              | line 1: the label of 'best' is neither a list of the keys of the right items nor an object
          {"a": -1}                  | line 1: the label of 'best' is neither a list of the keys of the right items nor an object
          """)
  void theLabelOfARankNamesItems(String label, @Nullable String message) throws Exception {
    checkLabel("best", label, message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          "a"           |
          7             |
          []            |
          ["a"]         |
          ["a", "b"]    | line 1: the label of 'same' is neither the key of the right item nor [] for none
          {"a": 1}      | line 1: the label of 'same' is neither the key of the right item nor [] for none
          """)
  void theLabelOfAResolutionNamesOneItemOrNone(String label, @Nullable String message)
      throws Exception {
    checkLabel("same", label, message);
  }

  private void checkLabel(String operator, String label, @Nullable String message)
      throws Exception {
    Program program =
        new ProgramParser(ModelCatalogue.builtIn())
            .parse(
                """
                program: p
                sources: { messages: { topic: t } }
                references: { people: { topic: p } }
                operators:
                  - rank: best
                    items: parts
                    criterion: It is great.
                  - resolve: same
                    with: people
                results: { topic: out }
                """);
    Path file =
        file(
            "{\"id\": \"v\", \"source\": \"messages\", \"document\": {}, \"labels\": {\"%s\": %s}}"
                .formatted(operator, label));

    if (message == null) {
      assertThat(ExampleFile.read(file, program)).hasSize(1);
    } else {
      assertThatThrownBy(() -> ExampleFile.read(file, program)).hasMessageContaining(message);
    }
  }
}
