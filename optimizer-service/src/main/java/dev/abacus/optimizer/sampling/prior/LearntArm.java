package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.List;

/**
 * What samples said of one implementation.
 *
 * @param id technique and parameters
 * @param models chat models that it calls, in order
 * @param samples above 0
 * @param estimate means over the samples
 */
public record LearntArm(String id, List<String> models, int samples, OperatorEstimate estimate) {

  public LearntArm {
    models = List.copyOf(models);
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples of " + id);
    }
  }

  /** The means of so many samples. */
  public static LearntArm of(PhysicalOperator physical, int samples, OperatorEstimate estimate) {
    return new LearntArm(physical.id(), physical.chatModels(), samples, estimate);
  }

  /** The technique with its models, whatever its other parameters. */
  String family() {
    return family(id, models);
  }

  static String family(PhysicalOperator physical) {
    return family(physical.id(), physical.chatModels());
  }

  private static String family(String id, List<String> models) {
    int parameters = id.indexOf('(');
    return (parameters < 0 ? id : id.substring(0, parameters)) + models;
  }
}
