package dev.abacus.deploy.evaluation.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.cli.Abacus;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetCommandTest {

  @Test
  void rejectsAMissingFolder(@TempDir Path to) {
    Run run = Run.of("dataset", "banking77", "--from", "no-such-folder", "--to", to.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(2);
    assertThat(run.err()).contains("no such folder: no-such-folder");
  }

  @Test
  void rejectsAFolderWithoutTheFiles(@TempDir Path empty) {
    Run run = Run.of("dataset", "cuad", "--from", empty.toString(), "--to", empty.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("categories.jsonl: no such file");
  }

  @Test
  void rejectsAnUnknownDataSet() {
    assertThat(Run.of("dataset", "mnist", "--from", ".", "--to", ".").exit()).isEqualTo(2);
  }

  private record Run(int exit, String err) {

    static Run of(String... arguments) {
      StringWriter err = new StringWriter();
      int exit =
          Abacus.run(new PrintWriter(new StringWriter()), new PrintWriter(err, true), arguments);
      return new Run(exit, err.toString());
    }

    List<String> errorLines() {
      return err.lines().toList();
    }
  }
}
