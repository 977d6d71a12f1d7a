package dev.abacus.optimizer.loop.state;

import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The labelled examples whose embedding was issued, by operator and embedder. */
public final class EmbeddedExamples {

  private final Map<EvidenceKey, Set<String>> examples = new HashMap<>();
  private final Map<EvidenceKey, Integer> inLastWave = new HashMap<>();

  EmbeddedExamples() {}

  void add(StampedTask issued, boolean lastWave) {
    EvidenceKey key = EvidenceKey.of(issued.task());
    if (key != null) {
      examples.computeIfAbsent(key, _ -> new HashSet<>()).add(issued.task().exampleId());
      inLastWave.merge(key, lastWave ? 1 : 0, Integer::sum);
    }
  }

  /** The ids of the examples. */
  public Set<String> of(EvidenceKey key) {
    return Collections.unmodifiableSet(examples.getOrDefault(key, Set.of()));
  }

  /** The number of embeddings in the last wave. */
  public int inLastWave(EvidenceKey key) {
    return inLastWave.getOrDefault(key, 0);
  }
}
