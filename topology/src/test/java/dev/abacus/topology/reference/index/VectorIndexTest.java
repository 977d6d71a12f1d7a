package dev.abacus.topology.reference.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The contract of every {@link VectorIndex}, and the behaviour of the approximate one. */
class VectorIndexTest {

  private static final int DIMENSIONS = 10;

  @TempDir private Path folder;

  enum Kind {
    EXACT,
    ADAPTIVE
  }

  private VectorIndex index(Kind kind) {
    return switch (kind) {
      case EXACT -> new ExactIndex(DIMENSIONS);
      case ADAPTIVE ->
          new AdaptiveIndex(
              DIMENSIONS,
              folder,
              new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()).watch("graphs"),
              100);
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void agreesWithBruteForceThroughInsertsUpdatesAndRemovals(Kind kind) throws Exception {
    Random random = new Random(42);
    Map<String, float[]> truth = new HashMap<>();
    try (VectorIndex index = index(kind)) {
      for (int i = 0; i < 1_500; i++) {
        String key = "item-" + random.nextInt(600);
        if (random.nextInt(4) == 0) {
          index.remove(key);
          truth.remove(key);
        } else {
          float[] vector = Vectors.direction(DIMENSIONS, random);
          index.put(key, vector);
          truth.put(key, vector);
        }
      }
      index.flush();
      assertThat(index.size()).isEqualTo(truth.size());
      for (int i = 0; i < 20; i++) {
        float[] query = Vectors.direction(DIMENSIONS, random);
        assertThat(keys(index.nearest(query, 7)))
            .containsExactlyElementsOf(expected(truth, query, -2).stream().limit(7).toList());
        assertThat(keys(index.atLeast(query, 0.3)))
            .containsExactlyElementsOf(expected(truth, query, 0.3));
      }
    }
  }

  private static List<String> expected(Map<String, float[]> truth, float[] query, double least) {
    return truth.entrySet().stream()
        .map(entry -> new Neighbour(entry.getKey(), dot(entry.getValue(), query)))
        .filter(neighbour -> neighbour.similarity() >= least)
        .sorted(Neighbour.BEST_FIRST)
        .map(Neighbour::key)
        .toList();
  }

  private static double dot(float[] a, float[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += (double) a[i] * b[i];
    }
    return sum;
  }

  private static List<String> keys(List<Neighbour> neighbours) {
    return neighbours.stream().map(Neighbour::key).toList();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void ordersEquallySimilarItemsByKey(Kind kind) throws Exception {
    try (VectorIndex index = index(kind)) {
      float[] same = Vectors.direction(DIMENSIONS, new Random(1));
      for (String key : List.of("c", "a", "d", "b")) {
        index.put(key, same);
      }
      index.flush();
      assertThat(keys(index.atLeast(same, 0))).containsExactly("a", "b", "c", "d");
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void rejectsVectorsOfOtherDimensions(Kind kind) throws Exception {
    try (VectorIndex index = index(kind)) {
      assertThatThrownBy(() -> index.put("a", new float[DIMENSIONS + 1]))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("11 dimensions");
      assertThatThrownBy(() -> index.nearest(new float[3], 1))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void returnsTheVectorOfAKey() {
    ExactIndex index = new ExactIndex(3);
    index.put("a", new float[] {1, 0, 0});
    assertThat(index.find("a")).containsExactly(1, 0, 0);
    assertThat(index.find("b")).isNull();
  }

  @Test
  void usesItsGraphAboveALimitAndSeesEveryChange() throws Exception {
    Random random = new Random(3);
    List<float[]> vectors = Vectors.clustered(3_000, 32, random);
    try (AdaptiveIndex index =
        new AdaptiveIndex(
            32,
            folder,
            new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()).watch("graphs"),
            1_000)) {
      for (int i = 0; i < vectors.size(); i++) {
        index.put("item-" + i, vectors.get(i));
      }
      assertThat(index.isApproximate()).isFalse();
      index.flush();
      index.awaitGraph();
      assertThat(index.isApproximate()).isTrue();

      double recall = 0;
      List<float[]> queries = Vectors.near(vectors, 100, random);
      for (float[] query : queries) {
        Set<String> found = new HashSet<>(keys(index.nearest(query, 10)));
        found.retainAll(index.atLeast(query, -2).stream().limit(10).map(Neighbour::key).toList());
        recall += found.size();
      }
      // Threads build the graph together, so its recall differs from run to run: 0.985 to 1.
      assertThat(recall / (10 * queries.size())).isGreaterThan(0.97);

      float[] fresh = Vectors.direction(32, random);
      index.put("fresh", fresh);
      index.put("item-7", fresh);
      index.remove("item-8");
      index.flush();
      assertThat(keys(index.nearest(fresh, 2))).containsExactly("fresh", "item-7");
      assertThat(keys(index.nearest(vectors.get(8), 10))).doesNotContain("item-8");
    }
    try (Stream<Path> left = Files.list(folder)) {
      assertThat(left.collect(Collectors.toSet())).isEmpty();
    }
  }

  @Test
  void searchesAreExactWhenTheGraphFailsAndAnotherGraphIsBuilt() throws Exception {
    Path folder = this.folder.resolve("vectors");
    Files.createFile(folder);
    Supervisor supervisor =
        new Supervisor(
            new RestartPolicy(Duration.ZERO, Duration.ZERO, 10, _ -> false), Clock.systemUTC());
    List<float[]> vectors = Vectors.clustered(200, 32, new Random(3));
    try (AdaptiveIndex index = new AdaptiveIndex(32, folder, supervisor.watch("graphs"), 100)) {
      for (int i = 0; i < vectors.size(); i++) {
        index.put("item-" + i, vectors.get(i));
      }
      index.flush();
      assertThat(supervisor.troubled()).hasSize(1);
      assertThat(keys(index.nearest(vectors.get(7), 1))).containsExactly("item-7");

      Files.delete(folder);
      index.flush();
      index.awaitGraph();
      assertThat(index.isApproximate()).isTrue();
      assertThat(supervisor.troubled()).isEmpty();
    }
  }
}
