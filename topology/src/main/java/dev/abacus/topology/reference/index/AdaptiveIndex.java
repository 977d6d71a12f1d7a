package dev.abacus.topology.reference.index;

import dev.abacus.schemas.supervision.ThreadHealth;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An exact index that adds an {@link HnswIndex} once it is large. A background thread builds the
 * graph; until it is complete, searches stay exact. The exact index stays the source of truth, and
 * joins by similarity always use it. If the graph fails, for example because the disk is full,
 * searches are exact again, and a new graph is built after a pause.
 */
public final class AdaptiveIndex implements VectorIndex {

  /** Number of vectors above which the graph is built. */
  public static final int LARGE = 20_000;

  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveIndex.class);
  private static final int STRIPES = 64;

  private final ExactIndex exact;
  private final Path folder;
  private final ThreadHealth health;
  private final int large;
  private final Object[] stripes = Stream.generate(Object::new).limit(STRIPES).toArray();

  /** The graph, complete or in progress; null if none was started. */
  private volatile @Nullable HnswIndex graph;

  /** The graph once it is complete. */
  private volatile @Nullable HnswIndex built;

  /** As {@link System#nanoTime}; no graph is built before. */
  private volatile long buildAt = System.nanoTime();

  private volatile boolean closed;
  private volatile @Nullable Thread builder;

  /**
   * An empty index; the files of its graph are stored below {@code folder}.
   *
   * @param health of the thread that builds the graph
   */
  public AdaptiveIndex(int dimensions, Path folder, ThreadHealth health) {
    this(dimensions, folder, health, LARGE);
  }

  AdaptiveIndex(int dimensions, Path folder, ThreadHealth health, int large) {
    this.exact = new ExactIndex(dimensions);
    this.folder = folder;
    this.health = health;
    this.large = large;
  }

  /** The lock of the key's stripe keeps the graph consistent with the exact index. */
  @Override
  public void put(String key, float[] unit) {
    synchronized (stripe(key)) {
      exact.put(key, unit);
      beside(graph -> graph.put(key, unit));
    }
  }

  @Override
  public void remove(String key) {
    synchronized (stripe(key)) {
      exact.remove(key);
      beside(graph -> graph.remove(key));
    }
  }

  /** Changes the graph too, if there is one. */
  private void beside(Consumer<HnswIndex> change) {
    HnswIndex beside = graph;
    if (beside != null) {
      try {
        change.accept(beside);
      } catch (RuntimeException e) {
        failed(beside, e);
      }
    }
  }

  @Override
  public void flush() {
    HnswIndex beside = graph;
    boolean due = System.nanoTime() - buildAt >= 0;
    if (beside == null && exact.size() > large && !closed && due) {
      start();
    } else if (built != null && beside != null) {
      beside(HnswIndex::flush);
    }
  }

  private void start() {
    try {
      HnswIndex fresh = new HnswIndex(folder);
      graph = fresh;
      builder = Thread.ofPlatform().name("abacus-vectors").daemon().start(() -> build(fresh));
    } catch (RuntimeException e) {
      Duration pause = health.failed(e);
      buildAt = System.nanoTime() + (pause == null ? Long.MAX_VALUE / 2 : pause.toNanos());
    }
  }

  private void build(HnswIndex fresh) {
    try {
      List<String> keys = exact.keys();
      AtomicInteger next = new AtomicInteger();
      int threads = Math.clamp(Runtime.getRuntime().availableProcessors(), 1, 4);
      try (ExecutorService workers = Executors.newFixedThreadPool(threads)) {
        List<Future<?>> copies = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          copies.add(
              workers.submit(() -> {
                int at;
                while (!closed && (at = next.getAndIncrement()) < keys.size()) {
                  copy(keys.get(at), fresh);
                }
              }));
        }
        for (Future<?> copy : copies) {
          copy.get(); // An incomplete graph must not be searched.
        }
      }
      if (!closed) {
        fresh.flush();
        built = fresh;
        LOG.info("Searches of {} vectors use their graph from now on", keys.size());
        // Each thread wrote a graph of its own, and each search visits all of them.
        fresh.merge();
      }
      health.succeeded();
    } catch (ExecutionException e) {
      failed(fresh, Objects.requireNonNullElse(e.getCause(), e));
    } catch (RuntimeException | Error e) {
      failed(fresh, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Searches are exact again; the next {@link #flush} after a pause builds another graph. */
  private synchronized void failed(HnswIndex broken, Throwable failure) {
    if (closed || graph != broken) {
      return;
    }
    LOG.warn("The graph of the vectors failed; searches are exact");
    Duration pause = health.failed(failure);
    built = null;
    if (pause != null) {
      buildAt = System.nanoTime() + pause.toNanos();
      graph = null;
    }
    try {
      broken.close();
    } catch (RuntimeException e) {
      LOG.debug("Cannot close a graph that failed", e);
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
    if (quick == null || k > exact.size() / 20) {
      return exact.nearest(unit, k);
    }
    try {
      return quick.nearest(unit, k);
    } catch (RuntimeException e) {
      failed(quick, e);
      return exact.nearest(unit, k);
    }
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
