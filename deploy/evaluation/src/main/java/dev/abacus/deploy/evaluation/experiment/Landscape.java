package dev.abacus.deploy.evaluation.experiment;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** All implementations of one operator with their true means. */
final class Landscape {

  private final String operator;
  private final Map<String, LandscapeArm> arms = new LinkedHashMap<>();

  Landscape(String operator, List<LandscapeArm> arms) {
    this.operator = operator;
    arms.forEach(arm -> this.arms.put(arm.arm().id(), arm));
  }

  /** Id of the operator. */
  String operator() {
    return operator;
  }

  /** In the order of the file. */
  List<LandscapeArm> arms() {
    return List.copyOf(arms.values());
  }

  /** The implementation of that id, one of {@link #arms}. */
  LandscapeArm arm(String id) {
    return Objects.requireNonNull(arms.get(id));
  }
}
