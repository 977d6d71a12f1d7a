package dev.abacus.deploy.price;

import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.optimizer.search.rule.implementation.SearchSpace;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Estimates from nothing but what is published of models: tokens of the prompts times the prices of
 * the catalogue, and as quality what naive priors say (paper, section 4.4). Only implementations
 * that ask one model once about all that an operator reads are priced, since how much of a document
 * the others leave out, or how often they ask, shows when they are tried.
 */
public final class NaivePrices {

  private NaivePrices() {}

  /**
   * Estimates by operator, for {@link dev.abacus.optimizer.search.cascades.NamedPlanSearch}. What
   * cannot be forecast is free in them.
   *
   * @throws IllegalArgumentException if the program names a model that the catalogue lacks
   */
  public static Map<String, List<Candidate>> of(
      Program program, ModelCatalogue catalogue, TokenForecast forecast) {
    SearchSpace space = SearchSpace.of(program, catalogue);
    Priors qualities = NaivePriors.of(space.union(), catalogue);
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      CallTokens tokens = forecast.byOperator().getOrDefault(operator.id(), CallTokens.NONE);
      List<Candidate> ofOperator =
          space.of(operator.id()).stream()
              .filter(NaivePrices::isPlain)
              .map(physical -> candidate(operator, physical, tokens, qualities, catalogue))
              .toList();
      candidates.put(
          operator.id(),
          ofOperator.isEmpty()
              ? List.of(
                  new Candidate(
                      new PhysicalOperator.Relational().id(), OperatorEstimate.RELATIONAL))
              : ofOperator);
    }
    return candidates;
  }

  private static boolean isPlain(PhysicalOperator physical) {
    return physical instanceof PhysicalOperator.ModelSelection
        || physical instanceof PhysicalOperator.NestedLoopsJoin
        || physical instanceof PhysicalOperator.SemanticAggregation
        || physical instanceof PhysicalOperator.TopKSearch;
  }

  private static Candidate candidate(
      LogicalOperator operator,
      PhysicalOperator physical,
      CallTokens tokens,
      Priors qualities,
      ModelCatalogue catalogue) {
    String model =
        physical instanceof PhysicalOperator.TopKSearch search
            ? search.embedder()
            : physical.chatModels().getFirst();
    ModelCard card = catalogue.get(model);
    OperatorEstimate prior = qualities.find(operator.id(), physical.id());
    return new Candidate(
        physical.id(),
        new OperatorEstimate(
            prior == null ? 1 : prior.quality(),
            (tokens.input() * card.inputUsdPerMillion()
                    + tokens.output() * card.outputUsdPerMillion())
                / 1e6,
            tokens.calls() == 0
                ? 0
                : card.secondsPerOutputToken() * tokens.output() / tokens.calls(),
            1));
  }
}
