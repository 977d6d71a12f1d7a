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
 * A schema registry (Apicurio) in a child JVM, on loopback: five to ten seconds to start, some 270
 * MB. It speaks Confluent's API at {@link #url()}, and subjects are kept backward compatible. It
 * ends with this JVM, however that ends.
 *
 * <p>The distribution is not part of this jar; Maven unpacks it into {@code target/registry}.
 */
public final class LocalRegistry implements AutoCloseable {

  /** The system property that names the folder of the unpacked distribution. */
  public static final String HOME_PROPERTY = "abacus.registry.home";

  private static final Duration START_LIMIT = Duration.ofMinutes(2);
  private static final String MAIN_CLASS = "io.quarkus.bootstrap.runner.QuarkusEntryPoint";

  private final ChildJvm child;
  private final String url;
  private final DataFolder data;

  /**
   * How to start it.
   *
   * @param home the unpacked distribution, with {@code quarkus-run.jar} in it; null if the system
   *     property {@value LocalRegistry#HOME_PROPERTY} names it
   * @param port 0 for any free one
   * @param data where schemas, their ids and the log are kept; null for in memory. To be kept
   *     together with Kafka's data, whose records carry the ids
   */
  public record Settings(@Nullable Path home, int port, @Nullable Path data) {

    /** Home by system property, any free port, in memory. */
    public static Settings defaults() {
      return new Settings(null, 0, null);
    }

    public Settings withHome(Path home) {
      return new Settings(home, port, data);
    }

    public Settings withPort(int port) {
      return new Settings(home, port, data);
    }

    public Settings withData(Path data) {
      return new Settings(home, port, data);
    }
  }

  private LocalRegistry(ChildJvm child, String url, DataFolder data) {
    this.child = child;
    this.url = url;
    this.data = data;
  }

  /** Starts a registry in memory on a free port. */
  public static LocalRegistry start() {
    return start(Settings.defaults());
  }

  /**
   * Starts a registry and waits until it answers.
   *
   * @throws LocalServiceException if the distribution is missing, or the registry does not come up
   */
  public static LocalRegistry start(Settings settings) {
    Path jar = home(settings).resolve("quarkus-run.jar");
    if (!Files.isRegularFile(jar)) {
      throw new LocalServiceException(
          "There is no schema registry at %s. Build the project, or set -D%s to an unpacked Apicurio Registry."
              .formatted(jar.getParent(), HOME_PROPERTY),
          null);
    }
    int port =
        settings.port == 0 ? Ports.free() : Ports.requireFree(settings.port, "the schema registry");
    DataFolder data = DataFolder.of(settings.data, "registry");
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

  private static Path home(Settings settings) {
    if (settings.home != null) {
      return settings.home;
    }
    String property = System.getProperty(HOME_PROPERTY);
    if (property == null) {
      throw new LocalServiceException(
          "Where is the schema registry? Set -D%s to an unpacked Apicurio Registry."
              .formatted(HOME_PROPERTY),
          null);
    }
    return Path.of(property);
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
      // Written through at once: an id that a record carries must not be lost with the process.
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
      // Not listening yet, or still setting up its database.
      return false;
    }
  }

  /** The address for {@code schema.registry.url}. */
  public String url() {
    return url;
  }

  /** The child's process id. */
  public long pid() {
    return child.pid();
  }

  /** Stops the child, and deletes what was temporary. */
  @Override
  public void close() {
    child.close();
    data.close();
  }
}
