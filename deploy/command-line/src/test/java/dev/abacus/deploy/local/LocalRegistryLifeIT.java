package dev.abacus.deploy.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.avro.SchemaRegistry;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a local registry starts, is found again, and ends. */
class LocalRegistryLifeIT {

  @Test
  void schemasKeepTheirIdsInADataFolderAndTheRegistryDiesWithAKilledParent(@TempDir Path data)
      throws Exception {
    Process parent =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx64m",
                    "-D"
                        + LocalRegistry.HOME_PROPERTY
                        + "="
                        + System.getProperty(LocalRegistry.HOME_PROPERTY),
                    "-cp",
                    System.getProperty("java.class.path"),
                    Parent.class.getName(),
                    data.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader output =
        new BufferedReader(
            new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))) {
      ProcessHandle registry = ProcessHandle.of(Long.parseLong(output.readLine())).orElseThrow();
      String id = output.readLine();

      parent.destroyForcibly();
      registry.onExit().get(20, TimeUnit.SECONDS);

      assertThat(registry.isAlive()).isFalse();
      try (LocalRegistry again =
              LocalRegistry.start(LocalRegistry.Settings.defaults().withData(data));
          SchemaRegistry client = SchemaRegistry.connect(again.url())) {
        assertThat(client.schemaById(Integer.parseInt(id)))
            .isEqualTo(Schema.create(Schema.Type.STRING));
      }
    } finally {
      parent.destroyForcibly();
    }
  }

  /** Starts a registry, tells its process id and a schema's id, and waits to be killed. */
  static final class Parent {

    private Parent() {}

    public static void main(String[] arguments) throws Exception {
      LocalRegistry registry =
          LocalRegistry.start(LocalRegistry.Settings.defaults().withData(Path.of(arguments[0])));
      try (SchemaRegistry client = SchemaRegistry.connect(registry.url())) {
        System.out.println(registry.pid());
        System.out.println(client.register("a-value", Schema.create(Schema.Type.STRING)));
      }
      Thread.currentThread().join();
    }
  }

  @Test
  void aTakenPortIsReportedInTheRegistrysOwnWords() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      LocalRegistry.Settings settings =
          LocalRegistry.Settings.defaults().withPort(taken.getLocalPort());

      assertThatThrownBy(() -> LocalRegistry.start(settings))
          .isInstanceOf(LocalServiceException.class)
          .hasMessageContaining("schema-registry died with exit code 1")
          .hasMessageContaining("Port " + taken.getLocalPort());
    }
  }

  @Test
  void aMissingDistributionIsSaidSo(@TempDir Path empty) {
    assertThatThrownBy(() -> LocalRegistry.start(LocalRegistry.Settings.defaults().withHome(empty)))
        .isInstanceOf(LocalServiceException.class)
        .hasMessageContaining(empty.toString())
        .hasMessageContaining(LocalRegistry.HOME_PROPERTY);
  }
}
