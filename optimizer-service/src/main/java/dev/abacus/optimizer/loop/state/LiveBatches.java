package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.control.BatchCounts;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How many live documents share a call. Samples are full batches. If documents arrive slowly, fewer
 * of them share the cost of the instruction:
 *
 * <pre>
 *   cost = own part + cost of the instruction ÷ documents per call
 * </pre>
 *
 * <p>Counts are used from the latest change of the mean by more than {@link #CHANGE}, so that a
 * decision is not made anew with each report. They stay in use while another implementation is
 * active, so that plans do not alternate.
 *
 * @param used by operator and size
 */
public record LiveBatches(Map<String, SortedMap<Integer, BatchCounts>> used) {

  /** No live document has shared a call: all batches are expected to be full. */
  static final LiveBatches NONE = new LiveBatches(Map.of());

  /** Relative change of the mean number of documents that counts. */
  private static final double CHANGE = 0.05;

  /** Before this many documents, their mean says little. */
  private static final int LEAST_DOCUMENTS = 20;

  /** Part of the size from which batches are full: larger ones could hold more. */
  private static final double FULL = 0.9;

  /**
   * The counts in use after a report; this if they stay.
   *
   * @param reported by operator, over all instances
   */
  LiveBatches with(Map<String, BatchCounts> reported) {
    Map<String, SortedMap<Integer, BatchCounts>> next = new HashMap<>(used);
    boolean changed = false;
    for (Map.Entry<String, BatchCounts> operator : reported.entrySet()) {
      BatchCounts counts = operator.getValue();
      SortedMap<Integer, BatchCounts> sizes =
          new TreeMap<>(next.getOrDefault(operator.getKey(), new TreeMap<>()));
      BatchCounts before = sizes.get(counts.size());
      double mean = before == null ? counts.size() : before.mean();
      if (counts.documents() >= LEAST_DOCUMENTS && Math.abs(counts.mean() / mean - 1) > CHANGE) {
        sizes.put(counts.size(), counts);
        next.put(operator.getKey(), sizes);
        changed = true;
      }
    }
    return changed ? new LiveBatches(Map.copyOf(next)) : this;
  }

  /**
   * The expected number of live documents per call. Batches of one size say how many documents wait
   * for each other, so they tell smaller sizes, and larger ones if they are not full.
   *
   * @param size the largest number of documents per call
   */
  double expected(String operator, int size) {
    SortedMap<Integer, BatchCounts> known = used.getOrDefault(operator, new TreeMap<>());
    BatchCounts larger = known.tailMap(size).values().stream().findFirst().orElse(null);
    if (larger != null) {
      return Math.min(size, larger.mean());
    }
    BatchCounts largest = known.values().stream().reduce((_, last) -> last).orElse(null);
    return largest == null || largest.mean() >= FULL * largest.size() ? size : largest.mean();
  }

  /**
   * The expected number of documents per call of an implementation that live documents do not fill;
   * null if they do, or if it calls for one document.
   */
  public @Nullable Double unfilled(String operator, PhysicalOperator physical) {
    int size = physical.documentsPerCall();
    if (size == 1) {
      return null;
    }
    double expected = expected(operator, size);
    return expected < (1 - CHANGE) * size ? expected : null;
  }

  /** The observation with the cost of a document in a batch of the expected size. */
  Observation apply(SampleTask task, Observation observation) {
    Observation.Batch batch = observation.batch();
    if (batch == null || task.physical().documentsPerCall() == 1) {
      return observation;
    }
    double documents = expected(task.operator().id(), task.physical().documentsPerCall());
    double more = batch.instructionCost() * (batch.documents() / documents - 1);
    return more == 0
        ? observation
        : observation.toBuilder().cost(Math.max(0, observation.cost() + more)).build();
  }
}
