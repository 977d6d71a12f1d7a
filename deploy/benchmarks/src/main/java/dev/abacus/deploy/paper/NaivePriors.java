package dev.abacus.deploy.paper;

import dev.abacus.optimizer.cost.OperatorEstimate;
import dev.abacus.optimizer.cost.Priors;
import dev.abacus.schemas.model.ModelCard;
import dev.abacus.schemas.model.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Naive priors (paper, section 4.4): from published figures of the models alone. */
final class NaivePriors {

  private static final double PER_MILLION = 1e6;

  private NaivePriors() {}

  /**
   * Quality is the mean of the models' published accuracy; cost the sum of their prices of an input
   * and an output token; latency the sum of their seconds per output token. So only how they
   * compare means anything.
   */
  static Priors of(
      Program program, Map<String, List<PhysicalOperator>> space, ModelCatalogue catalogue) {
    Map<String, Map<String, OperatorEstimate>> priors = new HashMap<>();
    for (LogicalOperator operator : program.semanticOperators()) {
      Map<String, OperatorEstimate> ofOperator = new HashMap<>();
      for (PhysicalOperator physical : space.getOrDefault(operator.id(), List.of())) {
        List<ModelCard> models = physical.chatModels().stream().map(catalogue::get).toList();
        if (!models.isEmpty()) {
          ofOperator.put(physical.id(), naive(models));
        }
      }
      priors.put(operator.id(), ofOperator);
    }
    return new Priors(priors);
  }

  private static OperatorEstimate naive(List<ModelCard> models) {
    double quality = 0;
    double cost = 0;
    double latency = 0;
    for (ModelCard model : models) {
      quality += model.quality() / models.size();
      cost += (model.inputUsdPerMillion() + model.outputUsdPerMillion()) / PER_MILLION;
      latency += model.secondsPerOutputToken();
    }
    return new OperatorEstimate(quality, cost, latency, 1);
  }
}
