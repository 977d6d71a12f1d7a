package dev.abacus.optimizer.search.cascades;

import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Stages;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Gives each step of a plan its input in the plan. The order of the steps within a segment is that
 * of the plan; the segments are those of the program.
 */
final class PlanWiring {

  private final Program program;
  private final Map<String, Stages.Place> places;

  /** By place: the node that the first operator of the segment reads in the program. */
  private final Map<Stages.Place, String> feeds = new HashMap<>();

  PlanWiring(Program program) {
    this.program = program;
    this.places = Stages.placeByOperator(program);
    for (LogicalOperator operator : program.operators()) {
      Stages.Place place = places.get(operator.id());
      if (place != null && !place.equals(places.get(operator.input()))) {
        feeds.putIfAbsent(place, operator.input());
      }
    }
  }

  /** The same steps with operators that name their inputs in the plan. */
  List<NamedPlan.Step> wired(List<NamedPlan.Step> steps) {
    Map<Stages.Place, List<String>> segments = new HashMap<>();
    for (NamedPlan.Step step : steps) {
      Stages.Place place = places.get(step.logical().id());
      if (place != null) {
        segments.computeIfAbsent(place, _ -> new ArrayList<>()).add(step.logical().id());
      }
    }
    List<NamedPlan.Step> wired = new ArrayList<>();
    for (NamedPlan.Step step : steps) {
      LogicalOperator operator = step.logical();
      List<String> inputs = new ArrayList<>();
      Stages.Place place = places.get(operator.id());
      if (place == null) {
        operator.inputs().forEach(input -> inputs.add(end(input, segments)));
      } else {
        List<String> segment = segments.getOrDefault(place, List.of());
        int at = segment.indexOf(operator.id());
        inputs.add(
            at > 0
                ? segment.get(at - 1)
                : end(feeds.getOrDefault(place, operator.input()), segments));
      }
      wired.add(new NamedPlan.Step(operator.withInputs(inputs), step.physical()));
    }
    return wired;
  }

  /** The last step of the segment of a node. */
  private String end(String node, Map<Stages.Place, List<String>> segments) {
    Stages.Place place = program.operator(node) == null ? null : places.get(node);
    List<String> segment = place == null ? null : segments.get(place);
    return segment == null ? node : segment.getLast();
  }
}
