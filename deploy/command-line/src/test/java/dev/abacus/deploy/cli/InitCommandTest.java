package dev.abacus.deploy.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code abacus init}. */
class InitCommandTest {

  private static final Path EXAMPLES = Path.of("../examples");

  @TempDir private Path folder;

  @Test
  void theStarterProgramOfADocumentsFileIsValidForThatFile() {
    for (String example : new String[] {"support-triage", "contract-extraction", "fraud-mail"}) {
      Path program = folder.resolve(example + ".yaml");
      String documents = EXAMPLES.resolve(example).resolve("documents.jsonl").toString();

      Run written = Run.of("init", "tickets", "--documents", documents, "--to", program.toString());
      assertThat(written.exit()).as(written.err()).isZero();
      assertThat(written.out()).contains("abacus validate " + program);
      assertThat(Run.of("validate", program.toString(), "--documents", documents).exit()).isZero();
    }
  }

  @Test
  void anExistingFileIsKept() throws IOException {
    Path program = Files.writeString(folder.resolve("program.yaml"), "mine");

    Run run = Run.of("init", "tickets", "--documents", support(), "--to", program.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(2);
    assertThat(program).hasContent("mine");
  }

  @Test
  void documentsWithoutAKeyAreRefused() throws IOException {
    Path documents = Files.writeString(folder.resolve("d.jsonl"), "{\"text\":\"a mail\"}\n");

    Run run = Run.of("init", "tickets", "--documents", documents.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("'id'");
  }

  @Test
  void aBadNameIsRefused() {
    for (String name : List.of("My Tickets", "tickets-samples", "a".repeat(101))) {
      Run run = Run.of("init", name, "--documents", support());
      assertThat(run.exit()).isEqualTo(2);
      assertThat(run.err()).startsWith("error: '" + name);
    }
  }

  private static String support() {
    return EXAMPLES.resolve("support-triage/documents.jsonl").toString();
  }

  @Test
  void fieldsWithAnyNameStandInTheProgramTheLongestFirst() throws IOException {
    Path documents =
        Files.writeString(
            folder.resolve("d.jsonl"),
            "{\"id\":\"1\",\"a, b: c\":\"a long text\",\"one\":\"same\",\"two\":\"long\"}\n");
    Path program = folder.resolve("program.yaml");

    Run run =
        Run.of("init", "tickets", "--documents", documents.toString(), "--to", program.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(program).content().contains("reads: [\"a, b: c\", one, two]");
    Run valid = Run.of("validate", program.toString(), "--documents", documents.toString());
    assertThat(valid.exit()).as(valid.err()).isZero();
  }

  @Test
  void aFieldOfTheLastDocumentAloneIsNoKey() throws IOException {
    Path documents =
        Files.writeString(
            folder.resolve("d.jsonl"),
            "{\"x\":\"a\"}\n{\"y\":\"b\"}\n{\"id\":\"1\",\"text\":\"c\"}\n");

    Run run = Run.of("init", "tickets", "--documents", documents.toString());
    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("no field of all documents identifies them");
  }

  /** The number of a ticket is not called id, dates and senders repeat themselves. */
  @Test
  void theKeyIsAFieldWithAnotherValueInEachDocument() throws IOException {
    Path documents =
        Files.writeString(
            folder.resolve("d.csv"),
            """
            received,id,Ticket No,mail
            2026-11-01,a,17,the lamp is broken
            2026-11-02,a,18,where is my parcel?
            2026-11-02,b,19,many thanks
            """);
    Path program = folder.resolve("program.yaml");

    Run run =
        Run.of("init", "tickets", "--documents", documents.toString(), "--to", program.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out()).contains("with the key Ticket No");
    Run valid = Run.of("validate", program.toString(), "--documents", documents.toString());
    assertThat(valid.exit()).as(valid.err()).isZero();
  }

  @Test
  void whatIsPrintedToBeCopiedIsOneArgumentForAShell() throws IOException {
    Path own = Files.createDirectory(folder.resolve("Bob's files"));
    Path program = own.resolve("program.yaml");

    Run run = Run.of("init", "tickets", "--documents", support(), "--to", program.toString());
    assertThat(run.exit()).as(run.err()).isZero();
    assertThat(run.out())
        .contains("abacus validate '" + folder + "/Bob'\\''s files/program.yaml' --documents ");
  }
}
