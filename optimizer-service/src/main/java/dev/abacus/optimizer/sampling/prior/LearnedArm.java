package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.List;

/**
 * The result of the samples of one implementation.
 *
 * @param id technique and parameters
 * @param models chat models in order of their calls
 * @param samples number of samples, at least 1
 * @param estimate means over the samples
 */
public record LearnedArm(String id, List<String> models, int samples, OperatorEstimate estimate) {

  public LearnedArm {
    models = List.copyOf(models);
    if (samples < 1) {
      throw new IllegalArgumentException(samples + " samples of " + id);
    }
  }

  /** The result of samples of an implementation. */
  public static LearnedArm of(PhysicalOperator physical, int samples, OperatorEstimate estimate) {
    return new LearnedArm(physical.id(), physical.chatModels(), samples, estimate);
  }

  /** Technique and models, without other parameters. */
  String family() {
    return family(id, models);
  }

  static String family(String id, List<String> models) {
    int parameters = id.indexOf('(');
    return (parameters < 0 ? id : id.substring(0, parameters)) + models;
  }
}
