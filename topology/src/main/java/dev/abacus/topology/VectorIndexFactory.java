package dev.abacus.topology;

import dev.abacus.topology.reference.index.AdaptiveIndex;
import dev.abacus.topology.reference.index.PostgresVectors;
import dev.abacus.topology.reference.index.VectorIndex;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Creates the vector indexes of references, in memory or in PostgreSQL, as the settings say. */
final class VectorIndexFactory {

  private final Path folder;
  private final String instance;
  private final String prefix;
  private final @Nullable PostgresVectors postgres;

  private VectorIndexFactory(
      Path folder, String instance, String prefix, @Nullable PostgresVectors postgres) {
    this.folder = folder;
    this.instance = instance;
    this.prefix = prefix;
    this.postgres = postgres;
  }

  /**
   * A factory for the settings of an instance.
   *
   * @throws ConfigException if the URL of PostgreSQL is needed and missing
   */
  static VectorIndexFactory of(WorkerConfig config) {
    return new VectorIndexFactory(
        Path.of(config.getString(WorkerConfig.STATE_DIR), "vectors"),
        config.instanceId(),
        config.getString(WorkerConfig.REFERENCE_STORE_TABLE),
        config.getString(WorkerConfig.REFERENCE_STORE).equals(WorkerConfig.PGVECTOR)
            ? postgres(config)
            : null);
  }

  private static PostgresVectors postgres(WorkerConfig config) {
    String url = config.getString(WorkerConfig.REFERENCE_STORE_URL);
    if (url == null || !url.startsWith("jdbc:postgresql:")) {
      throw new ConfigException(
          WorkerConfig.REFERENCE_STORE_URL,
          url,
          "'%s=%s' needs it, such as jdbc:postgresql://host:5432/database"
              .formatted(WorkerConfig.REFERENCE_STORE, WorkerConfig.PGVECTOR));
    }
    Password password = config.getPassword(WorkerConfig.REFERENCE_STORE_PASSWORD);
    return new PostgresVectors(
        url,
        config.getString(WorkerConfig.REFERENCE_STORE_USER),
        password == null ? null : password.value());
  }

  /** Creates the indexes of a reference, one per embedder, by the dimensions of its vectors. */
  IntFunction<VectorIndex> of(String program, String reference) {
    if (postgres == null) {
      return dimensions -> new AdaptiveIndex(dimensions, folder);
    }
    AtomicInteger number = new AtomicInteger();
    return dimensions ->
        postgres.open(
            PostgresVectors.table(
                prefix, program, reference, instance, Integer.toString(number.incrementAndGet())),
            dimensions);
  }
}
