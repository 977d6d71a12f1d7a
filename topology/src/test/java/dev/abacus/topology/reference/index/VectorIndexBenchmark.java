package dev.abacus.topology.reference.index;

import com.sun.management.OperatingSystemMXBean;
import dev.abacus.schemas.supervision.RestartPolicy;
import dev.abacus.schemas.supervision.Supervisor;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Measures the vector indexes on vectors in clusters, as those of texts are. Not a test: run {@link
 * #main}. Prints queries per second of one thread, recall against the exact search, time to build.
 */
final class VectorIndexBenchmark {

  private static final int DIMENSIONS = 384;
  private static final int K = 10;
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private VectorIndexBenchmark() {}

  /** Runs all, or only {@code exact} or {@code graph}. */
  public static void main(String[] arguments) throws Exception {
    if (!List.of(arguments).contains("graph")) {
      exact(1_000);
      exact(10_000);
    }
    if (!List.of(arguments).contains("exact")) {
      graph(100_000);
    }
  }

  private static void exact(int size) {
    List<float[]> vectors = Vectors.clustered(size, DIMENSIONS, new Random(7));
    List<float[]> queries = Vectors.near(vectors, 1_000, new Random(8));
    ExactIndex index = new ExactIndex(DIMENSIONS);
    for (int i = 0; i < size; i++) {
      index.put("item-" + i, vectors.get(i));
    }
    System.out.printf(
        "exact, %,d x %d: %,.0f queries/s; all similarities in %.2f ms%n",
        size,
        DIMENSIONS,
        perSecond(queries, query -> index.nearest(query, K)),
        1000 / perSecond(queries, query -> index.atLeast(query, -1)));
  }

  private static void graph(int size) throws Exception {
    List<float[]> vectors = Vectors.clustered(size, DIMENSIONS, new Random(7));
    List<float[]> queries = Vectors.near(vectors, 300, new Random(8));
    Path folder = Files.createTempDirectory("vectors");
    try (AdaptiveIndex index =
        new AdaptiveIndex(
            DIMENSIONS,
            folder,
            new Supervisor(RestartPolicy.standard(_ -> true), Clock.systemUTC()).watch("graphs"))) {
      long start = System.nanoTime();
      for (int i = 0; i < size; i++) {
        index.put("item-" + i, vectors.get(i));
      }
      long put = System.nanoTime();
      double exact = perSecond(queries.subList(0, 100), query -> index.nearest(query, K));
      List<Set<String>> truth =
          queries.stream().map(query -> keys(index.nearest(query, K))).toList();
      long before = System.nanoTime();
      long cpuBefore = processCpu();
      index.flush();
      index.awaitGraph();
      long built = System.nanoTime();
      long cpuBuilt = processCpu();
      double found = 0;
      for (int i = 0; i < queries.size(); i++) {
        Set<String> hits = new HashSet<>(keys(index.nearest(queries.get(i), K)));
        hits.retainAll(truth.get(i));
        found += hits.size();
      }
      System.out.printf(
          "graph, %,d x %d: %,.0f queries/s (exact: %,.0f); recall@%d %.4f; put in %.1f s, graph in %.1f s (%.1f s of CPU)%n",
          size,
          DIMENSIONS,
          perSecond(queries, query -> index.nearest(query, K)),
          exact,
          K,
          found / (K * queries.size()),
          (put - start) / 1e9,
          (built - before) / 1e9,
          (cpuBuilt - cpuBefore) / 1e9);
    }
  }

  private static Set<String> keys(List<Neighbour> neighbours) {
    return neighbours.stream().map(Neighbour::key).collect(Collectors.toSet());
  }

  private static long processCpu() {
    return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
  }

  @FunctionalInterface
  private interface Search {
    List<Neighbour> search(float[] query);
  }

  /** By the thread's own CPU time, best round after a warm-up: others use this machine too. */
  private static double perSecond(List<float[]> queries, Search search) {
    double best = 0;
    for (int round = 0; round < 6; round++) {
      long start = THREADS.getCurrentThreadCpuTime();
      int found = 0;
      for (float[] query : queries) {
        found += search.search(query).size();
      }
      double rate = queries.size() / ((THREADS.getCurrentThreadCpuTime() - start) / 1e9);
      if (round > 2 && found > 0) {
        best = Math.max(best, rate);
      }
    }
    return best;
  }
}
