package dev.abacus.optimizer.sampling.prior;

import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The paper's naive priors (section 4.4): the quality of an implementation is the mean benchmark
 * score of its models, its cost and latency are the sums over its models for one input and one
 * output token. Independent of parameters and prompts. Only comparisons are meaningful.
 */
public final class NaivePriors {

  private NaivePriors() {}

  /**
   * Priors of all implementations whose models the catalogue has.
   *
   * @param space implementations by operator id
   */
  public static Priors of(
      Map<String, ? extends Collection<PhysicalOperator>> space, ModelCatalogue catalogue) {
    return Priors.of(space, _ -> physical -> estimate(physical, catalogue));
  }

  private static @Nullable OperatorEstimate estimate(
      PhysicalOperator physical, ModelCatalogue catalogue) {
    List<ModelCard> cards = new ArrayList<>();
    for (String model : physical.chatModels()) {
      ModelCard card = catalogue.find(model);
      if (card == null) {
        return null;
      }
      cards.add(card);
    }
    return cards.isEmpty()
        ? null
        : new OperatorEstimate(
            cards.stream().mapToDouble(ModelCard::quality).average().orElseThrow(),
            cards.stream().mapToDouble(card -> card.cost(1, 0, 1)).sum(),
            cards.stream().mapToDouble(ModelCard::secondsPerOutputToken).sum(),
            1);
  }
}
