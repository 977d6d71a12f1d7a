package dev.abacus.optimizer.loop.state;

import dev.abacus.schemas.observation.Evidence.Embedded;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Cascade;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * An observed call of a model. A cascade that passes a document to its model makes the same call as
 * model selection, so a sample of either measures both.
 *
 * @param seen the original observation
 * @param cost USD of the call, without the features of a cascade
 * @param latency seconds of the call, without the features of a cascade
 */
public record ModelCall(Observation seen, double cost, double latency) {

  /**
   * The calls of a model, by example id. If several samples call it on one example, model selection
   * takes precedence.
   *
   * @param drawn samples of one operator
   */
  static SortedMap<String, ModelCall> of(String model, List<DrawnSample> drawn) {
    SortedMap<String, ModelCall> calls = new TreeMap<>();
    for (DrawnSample issued : drawn) {
      Observation seen = issued.observation();
      PhysicalOperator physical = issued.task().physical();
      if (seen != null
          && physical instanceof ModelSelection selection
          && selection.reasoning() == null
          && selection.model().equals(model)) {
        calls.put(seen.exampleId(), new ModelCall(seen, seen.cost(), seen.latency()));
      } else if (seen != null
          && physical instanceof Cascade cascade
          && cascade.classifier() == null
          && cascade.model().equals(model)) {
        Embedded features = seen.evidence() instanceof Embedded embedded ? embedded : null;
        // Without evidence, the part of a proxy in the cost is unknown.
        if (features != null || cascade.chatModels().size() == 1) {
          double cost = seen.cost() - orZero(features == null ? null : features.usd());
          double latency = seen.latency() - orZero(features == null ? null : features.seconds());
          calls.putIfAbsent(
              seen.exampleId(), new ModelCall(seen, Math.max(0, cost), Math.max(0, latency)));
        }
      }
    }
    return calls;
  }

  private static double orZero(@Nullable Double value) {
    return value == null ? 0 : value;
  }
}
