package dev.abacus.optimizer.loop;

import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.model.ModelCard;
import dev.abacus.schemas.model.ModelCatalogue;
import dev.abacus.schemas.observation.Observation;
import dev.abacus.schemas.observation.SampleTask;
import java.util.HashMap;
import java.util.Map;

/**
 * What a sample that is not in yet is taken to cost in USD, judge included, so that a budget in
 * dollars is not overshot: the most that the implementation was seen to cost, or before its first
 * observation a generous estimate from the models' prices.
 */
final class CostForecast {

  private static final int CHARACTERS_PER_TOKEN = 3;

  /** Instructions and schema around the document. */
  private static final int PROMPT_TOKENS = 400;

  private static final int ANSWER_TOKENS = 400;

  private final ModelCatalogue catalogue;
  private final Map<String, Double> largest = new HashMap<>();

  CostForecast(ModelCatalogue catalogue) {
    this.catalogue = catalogue;
  }

  /** What an observed sample really cost. */
  static double actual(Observation observation) {
    return observation.cost() + observation.judgeCost();
  }

  void learn(Observation observation) {
    largest.merge(
        observation.operator() + '\n' + observation.physical(), actual(observation), Math::max);
  }

  double of(SampleTask task) {
    Double seen = largest.get(task.operator().id() + '\n' + task.physical().id());
    if (seen != null) {
      return seen;
    }
    double usd = task.label() == null ? price(task.judge(), task.input()) : 0;
    for (String model : task.physical().chatModels()) {
      usd += price(model, task.input());
    }
    return usd;
  }

  private double price(String model, Document input) {
    ModelCard card = catalogue.find(model);
    long inputTokens = (long) PROMPT_TOKENS + input.toBytes().length / CHARACTERS_PER_TOKEN;
    return card == null ? 0 : card.cost(inputTokens, 0, ANSWER_TOKENS);
  }
}
