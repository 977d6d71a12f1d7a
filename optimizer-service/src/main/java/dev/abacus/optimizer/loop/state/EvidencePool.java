package dev.abacus.optimizer.loop.state;

import dev.abacus.optimizer.sampling.Sample;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The evidence of samples, one observation per operator, embedder and example.
 *
 * <p>All implementations of an operator with the same embedder share their evidence. If several
 * were sampled on one example, labelled evidence takes precedence, then the answer with the best
 * score; ties go by the mean quality of the implementation, then by id. An answer that the judge
 * rejects is no evidence. Only complete waves count, so that the evidence does not depend on the
 * order of arrival.
 *
 * @param issued the samples that count
 */
record EvidencePool(List<StampedTask> issued, SampleLedger ledger) {

  private static final double HALF_RIGHT = 0.5;

  /** Whether more batches of embeddings follow; then a fit would be wasted. */
  boolean isGrowing(EvidenceKey key) {
    long last = issued.stream().mapToLong(task -> task.stamp().wave()).max().orElse(-1);
    return issued.stream()
            .filter(task -> task.stamp().wave() == last && task.task().evidenceOnly())
            .filter(task -> key.equals(EvidenceKey.of(task.task())))
            .count()
        >= key.batch();
  }

  /** Mean latency and cost of the samples that only embed. */
  Map<EvidenceKey, LearnedParameters.Embedding> embeddings() {
    Map<EvidenceKey, SortedMap<String, Observation>> seen = new HashMap<>();
    for (StampedTask task : issued) {
      Observation observation = ledger.observation(task.task().id());
      EvidenceKey key = EvidenceKey.of(task.task());
      if (key != null
          && observation != null
          && observation.outcome() == Observation.Outcome.EMBEDDED) {
        seen.computeIfAbsent(key, _ -> new TreeMap<>()).put(observation.taskId(), observation);
      }
    }
    Map<EvidenceKey, LearnedParameters.Embedding> means = new HashMap<>();
    seen.forEach((key, byTask) ->
        means.put(
            key,
            new LearnedParameters.Embedding(
                byTask.values().stream().mapToDouble(Observation::latency).average().orElse(0),
                byTask.values().stream().mapToDouble(Observation::cost).average().orElse(0))));
    return means;
  }

  /** The observation whose evidence counts, by example id. */
  Map<EvidenceKey, SortedMap<String, Observation>> best() {
    long complete =
        issued.stream()
            .filter(task -> ledger.sample(task) instanceof Sample.Outstanding)
            .mapToLong(task -> task.stamp().wave())
            .min()
            .orElse(Long.MAX_VALUE);
    Comparator<Observation> order = order(meanQuality());
    Map<EvidenceKey, SortedMap<String, Observation>> best = new HashMap<>();
    for (StampedTask task : issued) {
      Observation seen = ledger.observation(task.task().id());
      EvidenceKey key = EvidenceKey.of(task.task());
      if (seen != null && key != null && task.stamp().wave() < complete && isEvidence(seen)) {
        best.computeIfAbsent(key, _ -> new TreeMap<>())
            .merge(
                seen.exampleId(),
                seen,
                (one, other) -> order.compare(one, other) <= 0 ? one : other);
      }
    }
    return best;
  }

  private static Comparator<Observation> order(Map<String, Double> meanQuality) {
    return Comparator.comparing((Observation seen) -> !isLabelled(seen.evidence()))
        // Never changes with later samples, so no refit is needed.
        .thenComparing(seen -> seen.outcome() != Observation.Outcome.EMBEDDED)
        .thenComparing(Observation::quality, Comparator.nullsLast(Comparator.reverseOrder()))
        .thenComparing(
            seen -> meanQuality.get(arm(seen)), Comparator.nullsLast(Comparator.reverseOrder()))
        .thenComparing(Observation::physical)
        .thenComparing(Observation::taskId);
  }

  private Map<String, Double> meanQuality() {
    Map<String, List<Double>> scores = new HashMap<>();
    for (StampedTask task : issued) {
      Observation seen = ledger.observation(task.task().id());
      if (seen != null && seen.quality() != null) {
        scores.computeIfAbsent(arm(seen), _ -> new ArrayList<>()).add(seen.quality());
      }
    }
    Map<String, Double> means = new HashMap<>();
    scores.forEach((arm, all) ->
        means.put(arm, all.stream().sorted().mapToDouble(score -> score).average().orElse(0)));
    return means;
  }

  private static String arm(Observation observation) {
    return observation.operator() + '\n' + observation.physical();
  }

  private static boolean isEvidence(Observation seen) {
    Double quality = seen.quality();
    return seen.evidence() != null
        && (isLabelled(seen.evidence())
            || seen.evidence() instanceof Evidence.Pairs
            || quality == null
            || quality >= HALF_RIGHT);
  }

  private static boolean isLabelled(@Nullable Evidence evidence) {
    return switch (evidence) {
      case Evidence.Embedded embedded -> embedded.labelled();
      case Evidence.Pairs(List<Evidence.Pair> pairs, Double _) ->
          pairs.stream().anyMatch(Evidence.Pair::labelled);
      case Evidence.Conditions _ -> false;
      case null -> false;
    };
  }
}
