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
 * Exact while it is small, with a graph of neighbours beside it once it is large. The graph is
 * built in the background; until it is there, the exact search answers, slower but never worse. The
 * exact index stays: joins ask for all similarities.
 */
public final class AdaptiveIndex implements VectorIndex {

  /** Up to so many vectors an exact search is fast enough. */
  public static final int LARGE = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveIndex.class);
  private static final int STRIPES = 64;

  private final ExactIndex exact;
  private final Path folder;
  private final int large;
  private final Object[] stripes = Stream.generate(Object::new).limit(STRIPES).toArray();

  /** What is being built, or was. */
  private volatile @Nullable HnswIndex graph;

  /** The same once it may be searched. */
  private volatile @Nullable HnswIndex built;

  private volatile boolean closed;
  private volatile @Nullable Thread builder;

  /** An empty index that puts the files of its graph below that folder. */
  public AdaptiveIndex(int dimensions, Path folder) {
    this(dimensions, folder, LARGE);
  }

  AdaptiveIndex(int dimensions, Path folder, int large) {
    this.exact = new ExactIndex(dimensions);
    this.folder = folder;
    this.large = large;
  }

  /** The exact index is the truth; under the key's stripe, the graph is made to agree with it. */
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
        LOG.info("{} vectors are searched by their graph from now on", keys.size());
        // Each thread made a graph of its own, and each costs every search.
        fresh.merge();
      }
    } catch (RuntimeException e) {
      if (closed) {
        return;
      }
      LOG.warn("No graph of the vectors could be built; the search stays exact", e);
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
    // A graph is no use where so many are wanted that the search would come by all of them.
    return quick == null || k > exact.size() / 20 ? exact.nearest(unit, k) : quick.nearest(unit, k);
  }

  @Override
  public List<Neighbour> atLeast(float[] unit, double similarity) {
    return exact.atLeast(unit, similarity);
  }

  /** Whether searches go by the graph. */
  public boolean isApproximate() {
    return built != null;
  }

  /** Waits until a graph that is being built is built; returns at once if none is. */
  void awaitGraph() throws InterruptedException {
    Thread building = builder;
    if (building != null) {
      building.join();
    }
  }

  /** A graph that is being filled is let stop first; merging is cut short by the closing. */
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
