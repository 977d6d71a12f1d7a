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
 * Where a service keeps its files.
 *
 * @param temporary whether it is deleted in the end
 */
public record DataFolder(Path path, boolean temporary) implements AutoCloseable {

  /**
   * The given folder, made if need be; a temporary one if none is given.
   *
   * @param service whose files they are, for the folder's name and messages
   * @throws LocalServiceException if it cannot be made
   */
  public static DataFolder of(@Nullable Path given, String service) {
    try {
      return given == null
          ? new DataFolder(Files.createTempDirectory("abacus-" + service + "-"), true)
          : new DataFolder(Files.createDirectories(given).toAbsolutePath(), false);
    } catch (IOException e) {
      throw new LocalServiceException(
          "The %s has no place for its data at %s: %s".formatted(service, given, e), e);
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
