package dev.abacus.topology;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.utils.Utils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The state directory of a worker: readable by its user alone, with a lock while the worker lives.
 * A worker that was killed leaves vector graphs, which are derived from topics; the next one
 * removes them. Files that are not Abacus' own are named in the log and stay.
 */
record StateFolder(Path folder, @Nullable FileChannel channel) implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(StateFolder.class);
  private static final String LOCK = ".lock";
  private static final String VECTORS = "vectors";

  /** The folder of the vector graphs. */
  Path vectors() {
    return folder.resolve(VECTORS);
  }

  /**
   * Creates or takes over a state directory. If another worker uses it, nothing is removed.
   *
   * @param applications prefix of the directories of Kafka Streams, one per application
   * @throws ConfigException if it cannot be created or read
   */
  static StateFolder open(Path folder, String applications) {
    try {
      Files.createDirectories(folder);
      restrict(folder);
      FileChannel channel = lock(folder.resolve(LOCK));
      if (channel != null) {
        removeGraphs(folder.resolve(VECTORS));
      }
      List<String> unknown = unknown(folder, applications);
      if (!unknown.isEmpty()) {
        LOG.warn("The state directory {} has files that Abacus does not know: {}", folder, unknown);
      }
      return new StateFolder(folder, channel);
    } catch (IOException e) {
      throw new ConfigException(WorkerConfig.STATE_DIR, folder, "cannot be used: " + e);
    }
  }

  /** Takes the access of other users away, where the file system and the owner permit it. */
  static void restrict(Path folder) {
    try {
      Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
    } catch (UnsupportedOperationException | IOException e) {
      LOG.debug("The permissions of {} stay as they are: {}", folder, e.toString());
    }
  }

  private static @Nullable FileChannel lock(Path file) throws IOException {
    FileChannel channel =
        FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    try {
      FileLock lock = channel.tryLock();
      if (lock != null) {
        return channel;
      }
    } catch (OverlappingFileLockException e) {
      LOG.debug("Another worker of this process uses {}", file);
    }
    channel.close();
    return null;
  }

  private static void removeGraphs(Path vectors) throws IOException {
    if (!Files.isDirectory(vectors)) {
      return;
    }
    try {
      Utils.delete(vectors.toFile());
      LOG.info("Removed {}, which an earlier worker left", vectors);
    } catch (FileSystemException e) {
      LOG.warn("Cannot remove {}: {}", vectors, e.toString());
    }
  }

  /** Names of the files that are not Abacus' own. */
  static List<String> unknown(Path folder, String applications) throws IOException {
    try (Stream<Path> files = Files.list(folder)) {
      return files
          .map(file -> Objects.requireNonNull(file.getFileName()).toString())
          .filter(
              name -> !name.equals(LOCK) && !name.equals(VECTORS) && !name.startsWith(applications))
          .sorted()
          .toList();
    }
  }

  @Override
  public void close() {
    if (channel != null) {
      try {
        channel.close();
      } catch (IOException e) {
        LOG.debug("Cannot release the lock of the state directory", e);
      }
    }
  }
}
