package dev.abacus.topology.reference.index;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exact index that adds an {@link HnswIndex} once it is large. A background thread builds the
 * graph; until it is complete, searches stay exact. The exact index stays the source of truth, and
 * joins by similarity always use it.
 */
public final class AdaptiveIndex implements VectorIndex {

  /** Number of vectors above which the graph is built. */
  public static final int LARGE = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveIndex.class);
  private static final int STRIPES = 64;

  private final ExactIndex exact;
  private final Path folder;
  private final int large;
  private final Object[] stripes = Stream.generate(Object::new).limit(STRIPES).toArray();

  /** The graph, complete or in progress; null if none was started. */
  private volatile @Nullable HnswIndex graph;

  /** The graph once it is complete. */
  private volatile @Nullable HnswIndex built;

  private volatile boolean closed;
  private volatile @Nullable Thread builder;

  /** An empty index; the files of its graph are stored below {@code folder}. */
  public AdaptiveIndex(int dimensions, Path folder) {
    this(dimensions, folder, LARGE);
  }

  AdaptiveIndex(int dimensions, Path folder, int large) {
    this.exact = new ExactIndex(dimensions);
    this.folder = folder;
    this.large = large;
  }

  /** The lock of the key's stripe keeps the graph consistent with the exact index. */
  @Override
  public void put(String key, float[] unit) {
    synchronized (stripe(key)) {
      exact.put(key, unit);
      HnswIndex beside = graph;
      if (beside != null) {
        beside.put(key, unit);
      }
    }
  }

  @Override
  public void remove(String key) {
    synchronized (stripe(key)) {
      exact.remove(key);
      HnswIndex beside = graph;
      if (beside != null) {
        beside.remove(key);
      }
    }
  }

  @Override
  public void flush() {
    HnswIndex beside = graph;
    if (beside == null && exact.size() > large && !closed) {
      HnswIndex fresh = new HnswIndex(folder);
      graph = fresh;
      builder = Thread.ofPlatform().name("abacus-vectors").daemon().start(() -> build(fresh));
    } else if (built != null && beside != null) {
      beside.flush();
    }
  }

  private void build(HnswIndex fresh) {
    try {
      List<String> keys = exact.keys();
      AtomicInteger next = new AtomicInteger();
      int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
      try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
        for (int i = 0; i < threads; i++) {
          workers.execute(() -> {
            int at;
            while (!closed && (at = next.getAndIncrement()) < keys.size()) {
              copy(keys.get(at), fresh);
            }
          });
        }
      }
      if (!closed) {
        fresh.flush();
        built = fresh;
        LOG.info("Searches of {} vectors use their graph from now on", keys.size());
        // Each thread wrote a graph of its own, and each search visits all of them.
        fresh.merge();
      }
    } catch (RuntimeException e) {
      if (closed) {
        return;
      }
      LOG.warn("Cannot build the graph of the vectors; searches stay exact", e);
    }
  }

  private void copy(String key, HnswIndex fresh) {
    synchronized (stripe(key)) {
      float[] vector = exact.find(key);
      if (vector != null) {
        fresh.put(key, vector);
      }
    }
  }

  private Object stripe(String key) {
    return stripes[Math.floorMod(key.hashCode(), STRIPES)];
  }

  @Override
  public int size() {
    return exact.size();
  }

  @Override
  public float @Nullable [] find(String key) {
    return exact.find(key);
  }

  @Override
  public List<Neighbour> nearest(float[] unit, int k) {
    HnswIndex quick = built;
    // For a large k, a search of the graph would visit most vectors.
    return quick == null || k > exact.size() / 20 ? exact.nearest(unit, k) : quick.nearest(unit, k);
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    return exact.atLeast(unit, similarity);
  }

  /** Whether searches use the graph. */
  public boolean isApproximate() {
    return built != null;
  }

  /** Waits until the graph in progress is complete; returns immediately if there is none. */
  void awaitGraph() throws InterruptedException {
    Thread building = builder;
    if (building != null) {
      building.join();
    }
  }

  /** Waits for a graph that is being filled; interrupts a merge by closing it. */
  @Override
  public void close() {
    closed = true;
    HnswIndex beside = graph;
    if (built == null) {
      awaitStop();
    }
    built = null;
    if (beside != null) {
      beside.close();
    }
    awaitStop();
  }

  private void awaitStop() {
    try {
      awaitGraph();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
