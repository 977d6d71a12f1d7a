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
 * The observed calls of each model, by operator and example. A cascade that passes a document to
 * its model makes the same call as model selection, so a sample of either measures both.
 */
public final class ModelCalls {

  private record Caller(String operator, String model) {}

  /**
   * An observed call.
   *
   * @param seen the original observation
   * @param latency seconds of the call, without embedding
   */
  public record Call(Observation seen, double latency) {}

  private final Map<Caller, SortedMap<String, Call>> calls = new HashMap<>();

  /** Adds a sample. If several call the model on one example, model selection takes precedence. */
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
        // Sends another prompt, or several.
      }
    }
  }

  /** The calls of a model for an operator, by example id. */
  public SortedMap<String, Call> of(String operator, String model) {
    return Collections.unmodifiableSortedMap(
        calls.getOrDefault(new Caller(operator, model), new TreeMap<>()));
  }

  private SortedMap<String, Call> byExample(String operator, String model) {
    return calls.computeIfAbsent(new Caller(operator, model), _ -> new TreeMap<>());
  }
}
