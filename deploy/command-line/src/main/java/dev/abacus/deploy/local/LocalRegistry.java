package dev.abacus.deploy.local;

import dev.abacus.schemas.avro.AvroSerdeConfig;
import dev.abacus.schemas.avro.Compatibility;
import dev.abacus.schemas.avro.RegistryException;
import dev.abacus.schemas.avro.SchemaRegistry;
import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A schema registry (Apicurio) in a child JVM, on loopback. Starts in five to ten seconds and needs
 * about 270 MB. Serves Confluent's API at {@link #url()} with backward compatibility. Ends with
 * this JVM.
 *
 * <p>This jar does not contain the registry; Maven unpacks it into {@code target/registry}.
 */
public final class LocalRegistry implements AutoCloseable {

  /** The system property that names the folder of the unpacked distribution. */
  public static final String HOME_PROPERTY = "abacus.registry.home";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final String MAIN_CLASS = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

  private final ChildJvm child;
  private final String url;
  private final DataFolder data;

  private LocalRegistry(ChildJvm child, String url, DataFolder data) {
    this.child = child;
    this.url = url;
    this.data = data;
  }

  /** Whether the system property names an unpacked distribution. */
  public static boolean isInstalled() {
    String home = System.getProperty(HOME_PROPERTY);
    return home != null && Files.isRegularFile(Path.of(home).resolve("quarkus-run.jar"));
  }

  /**
   * Starts a registry and waits until it is ready.
   *
   * @param port port; 0 for any free port
   * @param folder of the schemas, their ids and the log; null for in memory. Keep it together with
   *     Kafka's data, because records contain schema ids
   * @throws LocalServiceException if the distribution is missing or the registry does not start
   */
  public static LocalRegistry start(int port, @Nullable Path folder) {
    String home = System.getProperty(HOME_PROPERTY);
    if (home == null) {
      throw new LocalServiceException(
          "The location of the schema registry is not set. Set -D%s to an unpacked Apicurio Registry."
              .formatted(HOME_PROPERTY),
          null);
    }
    return start(Path.of(home), port, folder);
  }

  static LocalRegistry start(Path home, int wanted, @Nullable Path folder) {
    Path jar = home.resolve("quarkus-run.jar");
    if (!Files.isRegularFile(jar)) {
      throw new LocalServiceException(
          "There is no schema registry at %s. Use a checkout of the project, or set -D%s to an unpacked Apicurio Registry."
              .formatted(jar.getParent(), HOME_PROPERTY),
          null);
    }
    int port = wanted == 0 ? Ports.free() : Ports.requireFree(wanted, "the schema registry");
    DataFolder data = DataFolder.of(folder, "registry");
    String url = "http://127.0.0.1:%d/apis/ccompat/v7".formatted(port);
    ChildJvm child =
        ChildJvm.start(
            "schema-registry",
            data.path(),
            options(port, data),
            jar.toAbsolutePath().toString(),
            MAIN_CLASS,
            List.of());
    LocalRegistry registry = new LocalRegistry(child, url, data);
    try {
      child.awaitReady(() -> ready(url), START_LIMIT);
      return registry;
    } catch (LocalServiceException e) {
      registry.close();
      throw e;
    }
  }

  private static List<String> options(int port, DataFolder data) {
    List<String> options =
        new ArrayList<>(
            List.of(
                "-Xmx192m",
                "-XX:+UseSerialGC",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "-Dquarkus.http.host=127.0.0.1",
                "-Dquarkus.http.port=" + port,
                "-Dquarkus.management.host=127.0.0.1",
                "-Dquarkus.management.port=0",
                "-Dquarkus.log.level=WARN",
                "-Dquarkus.log.category.\"io.apicurio\".level=WARN",
                "-Dquarkus.http.access-log.enabled=false",
                "-Dapicurio.datasource.jdbc.initial-size=1",
                "-Dapicurio.datasource.jdbc.min-size=1"));
    if (!data.temporary()) {
      // Write through: a schema id that a record contains must survive a crash of the process.
      options.add(
          "-Dapicurio.datasource.url=jdbc:h2:file:%s;WRITE_DELAY=0"
              .formatted(
                  data.path().resolve("registry").toString().replace(File.separatorChar, '/')));
    }
    return options;
  }

  private static boolean ready(String url) {
    AvroSerdeConfig once =
        new AvroSerdeConfig(
            Map.of(AvroSerdeConfig.SCHEMA_REGISTRY_URL, url, AvroSerdeConfig.MAX_RETRIES, 0));
    try (SchemaRegistry registry = SchemaRegistry.connect(once)) {
      registry.setCompatibility(Compatibility.BACKWARD);
      return true;
    } catch (RegistryException e) {
      // Not ready yet.
      return false;
    }
  }

  /** The address for {@code schema.registry.url}. */
  public String url() {
    return url;
  }

  /** Stops the child and deletes temporary data. */
  @Override
  public void close() {
    child.close();
    data.close();
  }
}
