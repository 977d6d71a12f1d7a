package dev.abacus.deploy.evaluation.experiment;

import java.util.List;

/**
 * All implementations of one operator with their true means.
 *
 * @param operator id of the operator
 * @param arms in the order of the file
 */
record Landscape(String operator, List<LandscapeArm> arms) {

  /** The implementation of that id, one of {@link #arms}. */
  LandscapeArm arm(String id) {
    return arms.stream().filter(arm -> arm.arm().id().equals(id)).findFirst().orElseThrow();
  }
}
