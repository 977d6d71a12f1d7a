package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

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
   * @param cost USD of the call, without the features of a cascade
   * @param latency seconds of the call, without the features of a cascade
   */
  public record Call(Observation seen, double cost, double latency) {}

  private final Map<Caller, SortedMap<String, Call>> calls = new HashMap<>();

  /** Adds a sample. If several call the model on one example, model selection takes precedence. */
  void add(SampleTask task, Observation seen) {
    switch (task.physical()) {
      case ModelSelection selection when selection.reasoning() == null ->
          byExample(seen.operator(), selection.model())
              .put(seen.exampleId(), new Call(seen, seen.cost(), seen.latency()));
      case Cascade cascade when cascade.classifier() == null -> {
        Evidence.Embedded features =
            seen.evidence() instanceof Evidence.Embedded embedded ? embedded : null;
        // Without evidence, the part of a proxy in the cost is unknown.
        if (features != null || cascade.chatModels().size() == 1) {
          double cost = seen.cost() - orZero(features == null ? null : features.usd());
          double latency = seen.latency() - orZero(features == null ? null : features.seconds());
          byExample(seen.operator(), cascade.model())
              .putIfAbsent(
                  seen.exampleId(), new Call(seen, Math.max(0, cost), Math.max(0, latency)));
        }
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

  private static double orZero(@Nullable Double value) {
    return value == null ? 0 : value;
  }

  private SortedMap<String, Call> byExample(String operator, String model) {
    return calls.computeIfAbsent(new Caller(operator, model), _ -> new TreeMap<>());
  }
}
