package dev.abacus.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What happens when a local service cannot start, and when its parent is gone. */
class LocalServicesTest {

  private static final String CLASS_PATH = System.getProperty("java.class.path");

  /** Starts a child, tells its process id, and waits to be killed. */
  static final class Parent {

    private Parent() {}

    public static void main(String[] arguments) throws Exception {
      ChildJvm child =
          ChildJvm.start(
              "child",
              Path.of(arguments[0]),
              List.of("-Xmx32m"),
              CLASS_PATH,
              Endless.class.getName(),
              List.of());
      System.out.println(child.pid());
      Thread.currentThread().join();
    }
  }

  /** Never ends by itself. */
  public static final class Endless {

    private Endless() {}

    public static void main(String[] arguments) throws Exception {
      Thread.currentThread().join();
    }
  }

  /** Writes a temporary file and never ends by itself. */
  public static final class Writer {

    private Writer() {}

    public static void main(String[] arguments) throws Exception {
      Files.createFile(Path.of(System.getProperty("java.io.tmpdir"), "native.so"));
      Thread.currentThread().join();
    }
  }

  @Test
  void aChildDiesWithAParentThatWasKilled(@TempDir Path folder) throws Exception {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx32m",
                "-cp",
                CLASS_PATH,
                Parent.class.getName(),
                folder.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle child = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      assertThat(child.isAlive()).isTrue();

      parent.destroyForcibly();

      assertThat(child.onExit().get(20, TimeUnit.SECONDS).isAlive()).isFalse();
    } finally {
      parent.destroyForcibly();
    }
  }

  @Test
  void temporaryFilesOfAChildThatIsKilledAreRemoved(@TempDir Path folder) throws Exception {
    Path left = Files.createDirectories(folder.resolve("tmp/child")).resolve("librocksdb.so");
    Files.createFile(left);
    try (ChildJvm child =
        ChildJvm.start(
            "child", folder, List.of("-Xmx32m"), CLASS_PATH, Writer.class.getName(), List.of())) {
      assertThat(left).as("of an earlier child").doesNotExist();
      child.awaitReady(
          () -> Files.exists(folder.resolve("tmp/child/native.so")), Duration.ofSeconds(20));
      assertThat(Files.getPosixFilePermissions(folder.resolve("tmp/child")))
          .isEqualTo(PosixFilePermissions.fromString("rwx------"));

      child.kill();

      assertThat(folder.resolve("tmp/child")).doesNotExist();
    }
  }

  @Test
  void aChildThatDiesIsQuoted(@TempDir Path home) throws Exception {
    try (OutputStream file = Files.newOutputStream(home.resolve("quarkus-run.jar"));
        JarOutputStream jar = new JarOutputStream(file, new Manifest())) {
      jar.finish();
    }

    assertThatThrownBy(() -> LocalRegistry.start(home, 0, null))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining("The schema-registry died with exit code 1")
        .hasMessageContaining("ClassNotFoundException: io.quarkus");
  }

  @Test
  void aChildThatIsNeverReadyIsGivenUp(@TempDir Path folder) {
    try (ChildJvm child =
        ChildJvm.start(
            "child", folder, List.of("-Xmx32m"), CLASS_PATH, Endless.class.getName(), List.of())) {
      assertThatThrownBy(() -> child.awaitReady(() -> false, Duration.ofMillis(1)))
          .isInstanceOf(LocalServiceException.class)
          .hasMessageContaining("not ready within");
    }
  }

  @Test
  void aMissingDistributionIsSaidSo(@TempDir Path empty) {
    assertThatThrownBy(() -> LocalRegistry.start(empty, 0, null))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining(empty.toString())
        .hasMessageContaining(LocalRegistry.HOME_PROPERTY);
  }

  @Test
  void aTakenPortIsSaidSoAtOnce(@TempDir Path home) throws Exception {
    Files.createFile(home.resolve("quarkus-run.jar"));
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      int port = taken.getLocalPort();

      assertThatThrownBy(() -> LocalKafka.start(port, null))
          .isInstanceOf(LocalServiceException.class)
          .hasMessageContaining("Port " + port + " of Kafka is in use");
      assertThatThrownBy(() -> LocalRegistry.start(home, port, null))
          .hasMessageContaining("Port " + port + " of the schema registry is in use");
    }
  }
}
