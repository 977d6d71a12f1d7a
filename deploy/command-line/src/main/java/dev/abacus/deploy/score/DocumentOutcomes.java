package dev.abacus.deploy.score;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.journey.Journey;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What became of the documents of a job.
 *
 * @param results the results of each document, in their order, by document key
 * @param failures ids of the operators that made dead letters, by document key
 * @param decisions whether an operator passed a document on, by document key and operator id, as
 *     far as the journeys tell; a document without a journey is missing
 */
public record DocumentOutcomes(
    Map<String, List<ObjectNode>> results,
    Map<String, String> failures,
    Map<String, Map<String, Boolean>> decisions) {

  /** Outcomes without journeys. */
  public DocumentOutcomes(Map<String, List<ObjectNode>> results, Map<String, String> failures) {
    this(results, failures, Map.of());
  }

  /** These outcomes with the decisions in journeys, by document key. */
  public DocumentOutcomes withJourneys(Map<String, ? extends Collection<Journey>> journeys) {
    Map<String, Map<String, Boolean>> told = new LinkedHashMap<>();
    journeys.forEach((key, ways) -> told.put(key, decisions(ways)));
    return new DocumentOutcomes(results, failures, told);
  }

  /** Decisions about several outputs of one document are left out if they differ. */
  private static Map<String, Boolean> decisions(Collection<Journey> journeys) {
    Map<String, Boolean> decisions = new HashMap<>();
    Set<String> ambiguous = new HashSet<>();
    for (Journey journey : journeys) {
      for (Journey.Step step : journey.steps()) {
        if (step.outcome() != Journey.Outcome.FAILED) {
          boolean passed = step.outcome() == Journey.Outcome.KEPT && step.outputs() > 0;
          Boolean before = decisions.put(step.operator(), passed);
          if (before != null && before != passed) {
            ambiguous.add(step.operator());
          }
        }
      }
      if (journey.end().outcome() == Journey.Outcome.DROPPED) {
        decisions.putIfAbsent(journey.end().operator(), false);
      }
    }
    decisions.keySet().removeAll(ambiguous);
    return decisions;
  }
}
