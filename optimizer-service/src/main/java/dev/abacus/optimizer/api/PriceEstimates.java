package dev.abacus.optimizer.api;

import dev.abacus.optimizer.sampling.prior.NaivePriors;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.optimizer.search.cost.OperatorEstimate;
import dev.abacus.optimizer.search.cost.Priors;
import dev.abacus.schemas.catalogue.ModelCard;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.ChoiceResolution;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.ModelSelection;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.plan.PhysicalOperator.Shortlisting;
import dev.abacus.schemas.plan.Relational;
import dev.abacus.schemas.plan.SemanticAggregation;
import dev.abacus.schemas.plan.TopKSearch;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.Program;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Estimates from the model catalogue alone: token counts times token prices, and the quality of the
 * naive priors (paper, section 4.4). Covers only implementations that call one model once with all
 * that the operator reads (a rank: once per {@link ListwiseRanking#WIDE wide} window of items). How
 * much of a document the others leave out, or how often they call a model, is unknown before they
 * are sampled.
 */
record PriceEstimates(ModelCatalogue catalogue, Priors qualities) {

  /**
   * Candidates by operator id. An operator without a token count costs nothing.
   *
   * @throws IllegalArgumentException if the program names a model that the catalogue lacks
   */
  static Map<String, List<Candidate>> of(
      Program program, ModelCatalogue catalogue, Function<String, Map<String, CallTokens>> tokens) {
    SearchSpace space = SearchSpace.of(program, catalogue);
    PriceEstimates prices = new PriceEstimates(catalogue, NaivePriors.of(space.union(), catalogue));
    Map<String, List<Candidate>> candidates = new LinkedHashMap<>();
    for (LogicalOperator operator : program.operators()) {
      List<Candidate> priced =
          space.of(operator.id()).stream()
              .filter(PriceEstimates::callsOneModelOnce)
              .map(physical -> prices.candidate(operator, physical, tokens))
              .toList();
      candidates.put(operator.id(), priced.isEmpty() ? List.of(relational()) : priced);
    }
    return candidates;
  }

  private static Candidate relational() {
    return new Candidate(new Relational().id(), OperatorEstimate.RELATIONAL);
  }

  private static boolean callsOneModelOnce(PhysicalOperator physical) {
    return switch (physical) {
      // The number of reasoning tokens is unknown before samples.
      case ModelSelection selection -> selection.reasoning() == null;
      case NestedLoopsJoin join -> join.reasoning() == null;
      case SemanticAggregation _, TopKSearch _ -> true;
      case ChoiceResolution _, ChoiceJoin _ -> true;
      case ListwiseRanking ranking -> ranking.window() == ListwiseRanking.WIDE;
      case PhysicalOperator _ -> false;
    };
  }

  private Candidate candidate(
      LogicalOperator operator,
      PhysicalOperator physical,
      Function<String, Map<String, CallTokens>> tokensByModel) {
    String model =
        physical instanceof TopKSearch search
            ? search.embedder()
            : physical.chatModels().getFirst();
    ModelCard card = catalogue.get(model);
    CallTokens all = tokensByModel.apply(model).getOrDefault(operator.id(), CallTokens.NONE);
    CallTokens tokens = physical instanceof Shortlisting choice ? all.choosing(choice.k()) : all;
    OperatorEstimate prior = qualities.find(operator.id(), physical.id());
    double cost =
        (tokens.input() * card.inputUsdPerMillion() + tokens.output() * card.outputUsdPerMillion())
            / 1e6;
    double latency =
        tokens.calls() == 0 ? 0 : card.secondsPerOutputToken() * tokens.output() / tokens.calls();
    return new Candidate(
        physical.id(), new OperatorEstimate(prior == null ? 1 : prior.quality(), cost, latency, 1));
  }
}
