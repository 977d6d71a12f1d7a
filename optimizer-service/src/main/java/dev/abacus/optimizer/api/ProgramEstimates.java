package dev.abacus.optimizer.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.abacus.optimizer.search.cascades.NamedPlanSearch;
import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Quality, cost and latency of the implementations of a program's operators. */
public final class ProgramEstimates {

  private final Program program;
  private final Map<String, List<Candidate>> candidates;

  /** The text that they were read from; missing if they were not. */
  private final JsonNode stated;

  private ProgramEstimates(
      Program program, Map<String, List<Candidate>> candidates, JsonNode stated) {
    this.program = program;
    this.candidates = candidates;
    this.stated = stated;
  }

  /**
   * Reads estimates in the JSON form of {@code abacus search}.
   *
   * @throws IllegalArgumentException if the text is invalid; the message names key and reason
   */
  public static ProgramEstimates read(String json, Program program) {
    JsonNode stated = EstimatesJson.tree(json);
    return new ProgramEstimates(program, EstimatesJson.read(stated, program), stated);
  }

  /**
   * Estimates from token counts and the prices of the catalogue. Only implementations that call one
   * model once with all that the operator reads have an estimate.
   *
   * @param tokens the tokens that a model, given by its name, counts: by operator id; an operator
   *     without an entry costs nothing
   * @throws IllegalArgumentException if the program names a model that the catalogue lacks
   */
  public static ProgramEstimates ofPrices(
      Program program, ModelCatalogue catalogue, Function<String, Map<String, CallTokens>> tokens) {
    return new ProgramEstimates(
        program, PriceEstimates.of(program, catalogue, tokens), MissingNode.getInstance());
  }

  /**
   * Searches all legal orders of operators and all implementations with an estimate.
   *
   * @throws IllegalArgumentException if an operator has no implementation with an estimate
   */
  public SearchReport search(Objective objective, SearchSettings settings) {
    return SearchReport.of(
        NamedPlanSearch.search(program, candidates, objective, settings.options()));
  }

  /**
   * As {@link #search}, with what each bound costs, and how sure the estimates of the chosen plan
   * are.
   */
  public SearchReport explain(Objective objective, SearchSettings settings) {
    SearchReport found = search(objective, settings);
    return found.explained(
        EstimatesJson.confidence(stated, found.chosen()),
        objective.bounds().stream().map(bound -> without(bound, objective, settings)).toList());
  }

  private SearchReport.WithoutBound without(
      Bound bound, Objective objective, SearchSettings settings) {
    List<Bound> others = objective.bounds().stream().filter(one -> !one.equals(bound)).toList();
    SearchReport found = search(new Objective(objective.target(), others), settings);
    return new SearchReport.WithoutBound(bound.toString(), found.feasible(), found.chosen());
  }
}
