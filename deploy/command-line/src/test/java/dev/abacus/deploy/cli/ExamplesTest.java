package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Reference;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every program under {@code deploy/examples} with its sample files, and files that do not fit. */
class ExamplesTest {

  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir Path folder;

  static List<Path> programs() throws IOException {
    try (Stream<Path> files = Files.walk(EXAMPLES)) {
      return files.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
    }
  }

  @Test
  void theProgramsOfThePaperAreThere() throws IOException {
    assertThat(programs())
        .extracting(file -> String.valueOf(EXAMPLES.relativize(file).getParent()))
        .contains("adverse-reactions", "contract-extraction", "multi-modal-questions");
  }

  @ParameterizedTest
  @MethodSource("programs")
  void anExampleIsValidAndItsFilesFit(Path program) throws Exception {
    Program parsed = new ProgramParser(ModelCatalogue.builtIn()).parse(Files.readString(program));
    List<String> words = new ArrayList<>(List.of("validate", program.toString()));
    words.addAll(List.of("--documents", program.resolveSibling("documents.jsonl").toString()));
    words.addAll(List.of("--validation", program.resolveSibling("validation.jsonl").toString()));
    for (Reference reference : parsed.references()) {
      String file = program.resolveSibling(reference.name() + ".jsonl").toString();
      words.addAll(List.of("--reference", reference.name() + "=" + file));
    }

    Run run = Run.of(words.toArray(String[]::new));

    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("is valid", "documents of", "validation examples fit");
    assertThat(program.resolveSibling("answers.jsonl")).exists();
    assertThat(program.resolveSibling("README.md")).exists();
  }

  private static String program() {
    return EXAMPLES.resolve("adverse-reactions/program.yaml").toString();
  }

  private static String documents() {
    return EXAMPLES.resolve("adverse-reactions/documents.jsonl").toString();
  }

  @Test
  void aReferenceWithoutItemsIsAnErrorOfALocalRun() {
    Run run =
        Run.of("run", program(), "--local", "--documents", documents(), "--results", "out.jsonl");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines())
        .containsExactly(
            "error: the program looks into the reference 'terms', and nothing gives its items",
            "Give --reference terms=F.jsonl.");
  }

  @Test
  void anUnknownReferenceIsNamedWithTheNearest() {
    Run run = Run.of("validate", program(), "--reference", "term=" + documents());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("unknown reference 'term'; did you mean 'terms'?");
  }

  @Test
  void aReferenceNeedsAName() {
    Run run = Run.of("validate", program(), "--reference", documents());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("Write --reference NAME=F.jsonl.");
  }

  @Test
  void aBadItemIsTheFirstThingThatIsSaid() throws Exception {
    Path terms = Files.writeString(folder.resolve("terms.jsonl"), "{\"label\": \"a\"}\n{}\n");

    Run run =
        Run.of(
            "run",
            program(),
            "--local",
            "--documents",
            documents(),
            "--reference",
            "terms=" + terms,
            "--results",
            "out.jsonl");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("terms.jsonl, line 2: the field 'label'");
  }

  @Test
  void filesThatDoNotFitAreAnswersInJsonToo() throws Exception {
    Path terms = Files.writeString(folder.resolve("terms.jsonl"), "{}\n");

    Run run = Run.of("validate", program(), "--reference", "terms=" + terms, "-o", "json");

    assertThat(run.exit()).isEqualTo(2);
    JsonNode answer = new ObjectMapper().readTree(run.out());
    assertThat(answer.path("valid").asBoolean(true)).isFalse();
    assertThat(answer.at("/problems/0/message").asText()).contains("line 1: the field 'label'");
  }

  @Test
  void aReferenceThatNobodyLooksIntoIsPointedOut() throws Exception {
    String text = Files.readString(Path.of(program()));
    Path more =
        Files.writeString(
            folder.resolve("more.yaml"),
            text.replace("references:\n", "references:\n  spare: { topic: spare }\n"));

    Run run = Run.of("validate", more.toString());

    assertThat(run.exit()).isZero();
    assertThat(run.err()).contains("no operator looks into the reference 'spare'");
  }

  @Test
  void aRunNeedsDocuments() {
    Run run = Run.of("run", program(), "--local", "--results", "out.jsonl");

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("no documents for the source 'reports'");
  }

  @Test
  void aProgramWithSeveralSourcesTakesDocumentsByName() throws Exception {
    String two =
        Files.writeString(
                folder.resolve("two.yaml"),
                """
                program: two
                sources:
                  orders: { topic: orders }
                  calls: { topic: calls }
                operators:
                  - join: together
                    input: orders
                    with: calls
                    within: 10m
                    on: customer
                results: { topic: out }
                """)
            .toString();
    String file =
        Files.writeString(folder.resolve("f.jsonl"), "{\"id\": \"1\", \"customer\": \"a\"}\n")
            .toString();

    Run nameless = Run.of("validate", two, "--documents", file);
    Run named =
        Run.of("validate", two, "--documents", "orders=" + file, "--documents", "calls=" + file);
    Run missing = Run.of("run", two, "--local", "--documents", "orders=" + file, "--results", "o");

    assertThat(nameless.exit()).isEqualTo(2);
    assertThat(nameless.err()).contains("Write --documents SOURCE=F.jsonl");
    assertThat(named.exit()).as(named.err()).isZero();
    assertThat(named.out()).contains("1 documents of orders fit", "1 documents of calls fit");
    assertThat(missing.exit()).isEqualTo(2);
    assertThat(missing.err()).contains("no documents for the source 'calls'");
  }
}
