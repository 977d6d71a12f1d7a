package dev.abacus.deploy.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;

/**
 * The folder of a service's files. Other users have no access to a folder that this class creates.
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
          : new DataFolder(ownerOnly(given).toAbsolutePath(), false);
    } catch (IOException e) {
      throw new LocalServiceException(
          "The %s cannot create its data folder %s: %s".formatted(service, given, e), e);
    }
  }

  @Override
  public void close() {
    if (temporary) {
      delete(path);
    }
  }

  /** Creates a folder, and its parents, for this user alone; an existing one stays as it is. */
  static Path ownerOnly(Path folder) throws IOException {
    boolean posix = folder.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileAttribute<?>[] attributes =
        posix
            ? new FileAttribute<?>[] {
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------"))
            }
            : new FileAttribute<?>[0];
    return Files.createDirectories(folder, attributes);
  }

  /** Deletes a folder with its content, if it exists. */
  static void delete(Path folder) {
    try {
      Utils.delete(folder.toFile());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
