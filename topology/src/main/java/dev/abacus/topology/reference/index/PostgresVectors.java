package dev.abacus.topology.reference.index;

import dev.langchain4j.store.embedding.pgvector.PgVectorEmbeddingStore;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/** A PostgreSQL with the extension pgvector, to keep vectors in. */
public final class PostgresVectors {

  /** PostgreSQL cuts longer names. */
  private static final int LONGEST_NAME = 63;

  private final PGSimpleDataSource source = new PGSimpleDataSource();

  /**
   * A server that is not connected to yet.
   *
   * @param url JDBC URL
   * @param user null if the URL names one
   * @param password null if none is needed
   */
  public PostgresVectors(String url, @Nullable String user, @Nullable String password) {
    source.setUrl(url);
    if (user != null) {
      source.setUser(user);
    }
    if (password != null) {
      source.setPassword(password);
    }
  }

  /**
   * An empty index in a table of that name, which is dropped first if there is one.
   *
   * @throws IllegalStateException if the server cannot be reached, lacks the extension, or does not
   *     let the user create the table
   */
  public VectorIndex open(String table, int dimensions) {
    try {
      return new StoredIndex(
          PgVectorEmbeddingStore.datasourceBuilder()
              .datasource(source)
              .table(table)
              .dimension(dimensions)
              .dropTableFirst(true)
              .createTable(true)
              .build(),
          dimensions);
    } catch (RuntimeException e) {
      throw new IllegalStateException(
          "no table '%s' can be made at %s: %s".formatted(table, source.getUrl(), e.getMessage()),
          e);
    }
  }

  /** The name of a table: the parts in small letters, cut and told apart by a hash if too long. */
  public static String table(String... parts) {
    String whole = String.join("_", parts);
    String name = whole.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "_");
    // Other characters became the same one, or what tells two names apart was cut.
    String hash = "_%08x".formatted(whole.hashCode());
    return name.equals(whole) && name.length() <= LONGEST_NAME
        ? name
        : name.substring(0, Math.min(name.length(), LONGEST_NAME - hash.length())) + hash;
  }
}
