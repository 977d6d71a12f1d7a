package dev.abacus.deploy.evaluation.dataset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.abacus.deploy.evaluation.Run;
import java.nio.file.Path;
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
}
