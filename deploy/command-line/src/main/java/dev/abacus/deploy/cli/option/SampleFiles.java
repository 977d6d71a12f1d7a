package dev.abacus.deploy.cli.option;

import dev.abacus.deploy.file.InvalidFileException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;

/** The files of the built-in sample program. */
public final class SampleFiles implements AutoCloseable {

  private static final String FOLDER = "/dev/abacus/deploy/examples/support-triage/";
  private static final List<String> NAMES =
      List.of("program.yaml", "documents.jsonl", "validation.jsonl", "answers.jsonl");

  private final Path folder;

  private SampleFiles(Path folder) {
    this.folder = folder;
  }

  /** Writes the files to a temporary folder, which is deleted when the JVM ends. */
  public static SampleFiles extract() {
    try {
      Path folder = Files.createTempDirectory("abacus-sample-");
      for (String name : NAMES) {
        try (InputStream resource =
            Objects.requireNonNull(SampleFiles.class.getResourceAsStream(FOLDER + name), name)) {
          Files.copy(resource, folder.resolve(name));
        }
      }
      return new SampleFiles(folder);
    } catch (IOException e) {
      throw InvalidFileException.of(Path.of("support-triage"), "cannot be unpacked", e);
    }
  }

  public Path file(String name) {
    return folder.resolve(name);
  }

  @Override
  public void close() {
    try {
      for (String name : NAMES) {
        Files.deleteIfExists(folder.resolve(name));
      }
      Files.deleteIfExists(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
