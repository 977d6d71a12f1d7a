package dev.abacus.topology.model.admission;

import dev.abacus.schemas.control.InstanceStatus.ModelDemand;
import java.util.Collection;

/**
 * The part of a limit that an instance may use, by max–min fairness: an instance that needs less
 * than an equal part gets a quarter more than it used in the last minute, and the others divide the
 * rest equally.
 *
 * <p>An instance is <em>saturated</em> if more than five seconds of its calls wait. It uses the
 * part of a saturated instance only after it was announced, so that the others have reduced theirs.
 */
final class DemandShare {

  private static final double RESERVE = 1.25;
  private static final double SMALLEST = 0.02;
  private static final double SECONDS_OF_BACKLOG = 5;

  private DemandShare() {}

  static boolean isSaturated(ModelDemand demand) {
    return demand.waiting() > 0
        && demand.waiting() >= demand.callsPerMinute() * SECONDS_OF_BACKLOG / 60;
  }

  /**
   * The part of this instance, in (0, 1].
   *
   * @param others demands of the other live instances; those without demand are absent
   * @param announced whether the others know that this instance is saturated
   */
  static double of(ModelDemand own, Collection<ModelDemand> others, boolean announced) {
    if (others.isEmpty()) {
      return 1;
    }
    double equal = 1.0 / (others.size() + 1);
    double total = own.callsPerMinute();
    for (ModelDemand other : others) {
      total += other.callsPerMinute();
    }
    if (!announced) {
      return Math.max(SMALLEST, reserved(own, equal, total));
    }
    double rest = 1;
    int saturated = 1;
    for (ModelDemand other : others) {
      if (isSaturated(other)) {
        saturated++;
      } else {
        rest -= Math.max(SMALLEST, reserved(other, equal, total));
      }
    }
    return Math.max(SMALLEST, rest / saturated);
  }

  private static double reserved(ModelDemand demand, double equal, double total) {
    return total == 0 ? equal : Math.min(equal, RESERVE * demand.callsPerMinute() / total);
  }
}
