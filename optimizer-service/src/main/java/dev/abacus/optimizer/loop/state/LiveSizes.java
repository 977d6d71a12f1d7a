package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.control.InstanceStatus;
import dev.abacus.schemas.control.SourceSize;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The size of live documents by source, as all instances report it. A decision uses the size of the
 * latest change of more than {@link #CHANGE}, so that it is not made anew with each report.
 */
final class LiveSizes {

  /** Relative change of the mean size that counts. */
  static final double CHANGE = 0.05;

  /** Before this many documents, their mean size says little. */
  static final int LEAST_DOCUMENTS = 20;

  private final Map<String, List<SourceSize>> latest = new HashMap<>();
  private Map<String, SourceSize> used = Map.of();

  /** Adds a report; returns whether {@link #bySource} has changed. */
  boolean add(InstanceStatus status) {
    if (status.sizes().isEmpty() || status.sizes().equals(latest.get(status.instance()))) {
      return false;
    }
    latest.put(status.instance(), status.sizes());
    Map<String, SourceSize> sums = new TreeMap<>();
    latest.values().stream()
        .flatMap(List::stream)
        .forEach(size -> sums.merge(size.source(), size, SourceSize::plus));
    sums.values().removeIf(size -> size.documents() < LEAST_DOCUMENTS);
    if (sums.values().stream().noneMatch(this::isNew)) {
      return false;
    }
    used = Map.copyOf(sums);
    return true;
  }

  private boolean isNew(SourceSize size) {
    SourceSize before = used.get(size.source());
    return before == null || Math.abs(mean(size) / mean(before) - 1) > CHANGE;
  }

  private static double mean(SourceSize size) {
    return Math.max(1, size.characters()) / (double) size.documents();
  }

  /** The documents that decisions count with, by source. */
  Map<String, SourceSize> bySource() {
    return used;
  }
}
