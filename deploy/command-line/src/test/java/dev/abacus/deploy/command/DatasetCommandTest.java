package dev.abacus.deploy.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DatasetCommandTest {

  @Test
  void aMissingFolderIsInvalidInput(@TempDir Path to) {
    Run run = Run.of("dataset", "banking77", "--from", "no-such-folder", "--to", to.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.errorLines()).hasSize(2);
    assertThat(run.err()).contains("no such folder: no-such-folder");
  }

  @Test
  void aFolderWithoutTheFilesIsInvalidInput(@TempDir Path empty) {
    Run run = Run.of("dataset", "cuad", "--from", empty.toString(), "--to", empty.toString());

    assertThat(run.exit()).isEqualTo(2);
    assertThat(run.err()).contains("categories.jsonl: no such file");
  }

  @Test
  void anUnknownDataSetIsBadUsage() {
    assertThat(Run.of("dataset", "mnist", "--from", ".", "--to", ".").exit()).isEqualTo(2);
  }
}
