package dev.abacus.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a service's files.
 *
 * @param temporary whether {@link #close} deletes it
 */
public record DataFolder(Path path, boolean temporary) implements AutoCloseable {

  /**
   * Creates the given folder, or a temporary one if {@code given} is null.
   *
   * @param service name of the service, for the folder's name and messages
   * @throws LocalServiceException if the folder cannot be created
   */
  public static DataFolder of(@Nullable Path given, String service) {
    try {
      return given == null
          ? new DataFolder(Files.createTempDirectory("abacus-" + service + "-"), true)
          : new DataFolder(Files.createDirectories(given).toAbsolutePath(), false);
    } catch (IOException e) {
      throw new LocalServiceException(
          "The %s cannot create its data folder %s: %s".formatted(service, given, e), e);
    }
  }

  @Override
  public void close() {
    if (!temporary) {
      return;
    }
    try (Stream<Path> paths = Files.walk(path)) {
      List<Path> deepestFirst = paths.sorted(Comparator.reverseOrder()).toList();
      for (Path it : deepestFirst) {
        Files.deleteIfExists(it);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
