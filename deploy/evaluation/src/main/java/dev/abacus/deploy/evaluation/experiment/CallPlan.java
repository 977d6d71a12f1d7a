package dev.abacus.deploy.evaluation.experiment;

import dev.abacus.optimizer.sampling.Arm;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The model calls of the implementations of a landscape, with the calls that implementations have
 * in common: the draft of {@code critique-and-refine} is the answer of {@code model-selection} with
 * the same model, its critique depends on the models of draft and critique, and the proposers of
 * {@code mixture-of-agents} answer alone at their temperature. Calls of other techniques are shared
 * by no other implementation.
 */
final class CallPlan {

  private static final String MODEL_SELECTION = "model-selection";

  /**
   * A call.
   *
   * @param key equal for calls with the same answer for the same example
   * @param share of the cost of the implementation, in [0, 1]; shares add up to 1
   */
  record Call(String key, double share) {}

  private final Map<String, List<Call>> byArm = new HashMap<>();

  /** The calls of all implementations. */
  static CallPlan of(Landscape landscape) {
    Map<String, Double> prices = new HashMap<>();
    for (LandscapeArm arm : landscape.arms()) {
      if (arm.arm().technique().equals(MODEL_SELECTION) && arm.arm().models().size() == 1) {
        prices.put(arm.arm().models().getFirst(), arm.truth().cost());
      }
    }
    CallPlan plan = new CallPlan();
    landscape.arms().forEach(arm -> plan.byArm.put(arm.arm().id(), calls(arm, prices)));
    return plan;
  }

  private static List<Call> calls(LandscapeArm arm, Map<String, Double> prices) {
    List<String> models = arm.arm().models();
    // The price of a call is that of its model alone; 1 for all if one of them is unknown.
    boolean priced = models.stream().allMatch(model -> prices.getOrDefault(model, 0.0) > 0);
    double total =
        models.stream().mapToDouble(model -> priced ? prices.getOrDefault(model, 0.0) : 1).sum();
    List<Call> calls = new ArrayList<>();
    for (int i = 0; i < models.size(); i++) {
      double price = priced ? prices.getOrDefault(models.get(i), 0.0) : 1;
      calls.add(new Call(key(arm, i), price / total));
    }
    return calls;
  }

  private static String key(LandscapeArm arm, int call) {
    List<String> models = arm.arm().models();
    boolean last = call == models.size() - 1;
    return switch (arm.arm().technique()) {
      case MODEL_SELECTION -> "answer " + models.getFirst();
      case "critique-and-refine" ->
          last && call > 0
              ? "own " + arm.arm().id()
              : "answer " + String.join(" ", models.subList(0, call + 1));
      case "mixture-of-agents" ->
          last && call > 0
              ? "own " + arm.arm().id()
              : "propose "
                  + models.get(call)
                  + " at "
                  + arm.arm().numbers().getOrDefault("temperature", 0.0);
      default -> "own " + arm.arm().id() + " " + call;
    };
  }

  /** The calls of an implementation; empty if the landscape names no models. */
  List<Call> of(Arm arm) {
    return byArm.getOrDefault(arm.id(), List.of());
  }
}
