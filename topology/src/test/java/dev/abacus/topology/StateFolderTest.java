package dev.abacus.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.kafka.common.config.ConfigException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a worker finds in its state directory when it starts. */
class StateFolderTest {

  @TempDir private Path parent;
  private Path folder;
  private Path graph;

  @BeforeEach
  void fill() throws Exception {
    folder = parent.resolve("state");
    graph = Files.createDirectories(folder.resolve("vectors/vectors-1")).resolve("_0.vec");
    Files.createFile(graph);
  }

  @Test
  void onlyTheUserHasAccess() throws Exception {
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (StateFolder _ = StateFolder.open(folder, "abacus-")) {
      assertThat(Files.getPosixFilePermissions(folder))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));
    }
  }

  @Test
  void graphsOfAKilledWorkerAreRemovedAndOtherFilesStay() throws Exception {
    Path store = Files.createDirectories(folder.resolve("abacus-p/0_1"));
    Path foreign = Files.createFile(folder.resolve("notes.txt"));
    try (StateFolder state = StateFolder.open(folder, "abacus-")) {
      assertThat(graph).doesNotExist();
      assertThat(store).exists();
      assertThat(foreign).exists();
      assertThat(state.vectors()).isEqualTo(folder.resolve("vectors"));
      assertThat(StateFolder.unknown(folder, "abacus-")).containsExactly("notes.txt");
    }
  }

  @Test
  void nothingIsRemovedWhileAnotherWorkerUsesTheFolder() throws Exception {
    try (StateFolder _ = StateFolder.open(folder, "abacus-")) {
      Files.createDirectories(graph.getParent());
      Files.createFile(graph);
      try (StateFolder _ = StateFolder.open(folder, "abacus-")) {
        assertThat(graph).exists();
      }
      try (StateFolder _ = StateFolder.open(folder, "abacus-")) {
        assertThat(graph).as("the first worker still holds the lock").exists();
      }
    }
    try (StateFolder _ = StateFolder.open(folder, "abacus-")) {
      assertThat(graph).doesNotExist();
    }
  }

  @Test
  void aFolderThatCannotBeCreatedIsAWrongSetting() throws Exception {
    Path file = Files.createFile(parent.resolve("file"));
    assertThatThrownBy(() -> StateFolder.open(file.resolve("state"), "abacus-"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("state.dir");
  }
}
