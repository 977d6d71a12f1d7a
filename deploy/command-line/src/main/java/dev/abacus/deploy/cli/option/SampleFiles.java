package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.file.InvalidFileException;
import dev.abacus.deploy.local.DataFolder;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The files of the built-in sample program. */
public final class SampleFiles implements AutoCloseable {

  private static final String FOLDER = "/dev/abacus/deploy/examples/support-triage/";
  private static final List<String> NAMES =
      List.of("program.yaml", "documents.jsonl", "validation.jsonl", "answers.jsonl");

  private final DataFolder folder;

  private SampleFiles(DataFolder folder) {
    this.folder = folder;
  }

  /** Writes the files to a temporary folder, which {@link #close} deletes. */
  public static SampleFiles extract() {
    SampleFiles files = new SampleFiles(DataFolder.of(null, "sample"));
    try {
      for (String name : NAMES) {
        try (InputStream resource =
            Objects.requireNonNull(SampleFiles.class.getResourceAsStream(FOLDER + name), name)) {
          Files.copy(resource, files.file(name));
        }
      }
      return files;
    } catch (IOException e) {
      throw InvalidFileException.of(Path.of("support-triage"), "cannot be unpacked", e);
    }
  }

  public Path file(String name) {
    return folder.path().resolve(name);
  }

  @Override
  public void close() {
    folder.close();
  }
}
