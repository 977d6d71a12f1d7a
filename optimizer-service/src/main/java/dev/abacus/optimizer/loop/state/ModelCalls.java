package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.LearnedCascade;
import dev.abacus.schemas.plan.PhysicalOperator.ModelSelection;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one call of a model came to on an example, whoever made it. A cascade that passes a document
 * on makes the very call that model selection makes, so a sample of either tells of both.
 */
public final class ModelCalls {

  private record Caller(String operator, String model) {}

  /**
   * A call.
   *
   * @param seen as it was drawn
   * @param latency seconds that the call itself took
   */
  public record Call(Observation seen, double latency) {}

  private final Map<Caller, SortedMap<String, Call>> calls = new HashMap<>();

  /** Takes a sample in, as it was drawn; of several on one example model selection counts. */
  void add(SampleTask task, Observation seen) {
    switch (task.physical()) {
      case ModelSelection selection ->
          byExample(seen.operator(), selection.model())
              .put(seen.exampleId(), new Call(seen, seen.latency()));
      case LearnedCascade cascade when cascade.classifier() == null -> {
        Double embedding =
            seen.evidence() instanceof Evidence.Embedded embedded ? embedded.seconds() : null;
        double latency = seen.latency() - (embedding == null ? 0 : embedding);
        byExample(seen.operator(), cascade.model())
            .putIfAbsent(seen.exampleId(), new Call(seen, Math.max(0, latency)));
      }
      case PhysicalOperator _ -> {
        // Shows the model something else, or asks more than once.
      }
    }
  }

  /** By example. */
  public SortedMap<String, Call> of(String operator, String model) {
    return Collections.unmodifiableSortedMap(
        calls.getOrDefault(new Caller(operator, model), new TreeMap<>()));
  }

  private SortedMap<String, Call> byExample(String operator, String model) {
    return calls.computeIfAbsent(new Caller(operator, model), _ -> new TreeMap<>());
  }
}
