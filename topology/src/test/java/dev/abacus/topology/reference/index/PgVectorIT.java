package dev.abacus.topology.reference.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The adapter for external stores over a real PostgreSQL with pgvector. Skipped where either is not
 * installed.
 */
class PgVectorIT {

  private static final int DIMENSIONS = 16;

  @TempDir private Path folder;

  @Test
  void findsUpdatesAndRemovesInPostgres() throws Exception {
    Optional<Path> programs = LocalPostgres.installed();
    assumeTrue(programs.isPresent(), "PostgreSQL is not installed (initdb, pg_ctl)");
    try (LocalPostgres server = LocalPostgres.start(programs.orElseThrow(), folder)) {
      assumeTrue(
          server.offers("vector"),
          "PostgreSQL has no extension 'vector' (Debian: postgresql-15-pgvector)");
      PostgresVectors vectors = new PostgresVectors(server.url(), "abacus", "none");
      String table = PostgresVectors.table("vectors", "triage", "intents", "worker-1");
      try (VectorIndex index = vectors.open(table, DIMENSIONS)) {
        agreesWithTheExactIndex(index);
      }
      // After a restart with another embedder, all comes from the embedded topic again.
      try (VectorIndex index = vectors.open(table, 3)) {
        assertThat(index.nearest(new float[] {1, 0, 0}, 5)).isEmpty();
        index.put("a", new float[] {0, 1, 0});
        index.flush();
        assertThat(index.nearest(new float[] {0, 1, 0}, 5))
            .extracting(Neighbour::key)
            .containsExactly("a");
      }
    }
  }

  private static void agreesWithTheExactIndex(VectorIndex index) {
    Random random = new Random(11);
    ExactIndex exact = new ExactIndex(DIMENSIONS);
    for (int i = 0; i < 300; i++) {
      String key = "item-" + random.nextInt(120);
      if (random.nextInt(5) == 0) {
        index.remove(key);
        exact.remove(key);
      } else {
        float[] vector = Vectors.direction(DIMENSIONS, random);
        index.put(key, vector);
        exact.put(key, vector);
      }
    }
    index.flush();
    for (int i = 0; i < 10; i++) {
      float[] query = Vectors.direction(DIMENSIONS, random);
      List<Neighbour> expected = exact.nearest(query, 5);
      List<Neighbour> found = index.nearest(query, 5);
      assertThat(found)
          .extracting(Neighbour::key)
          .containsExactlyElementsOf(expected.stream().map(Neighbour::key).toList());
      assertThat(found.getFirst().similarity())
          .isCloseTo(expected.getFirst().similarity(), within(1e-4));
    }
  }
}
