package dev.abacus.optimizer.api;

import dev.abacus.optimizer.search.cost.Candidate;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.Program;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/** Quality, cost and latency of the implementations of a program's operators. */
public final class ProgramEstimates {

  private final Map<String, List<Candidate>> candidates;

  private ProgramEstimates(Map<String, List<Candidate>> candidates) {
    this.candidates = candidates;
  }

  /**
   * Reads estimates in the JSON form of {@code abacus search}.
   *
   * @throws IllegalArgumentException if the text is invalid; the message names key and reason
   */
  public static ProgramEstimates read(String json, Program program) {
    return new ProgramEstimates(EstimatesJson.read(json, program));
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
    return new ProgramEstimates(PriceEstimates.of(program, catalogue, tokens));
  }

  /** Candidates by operator id. */
  Map<String, List<Candidate>> candidates() {
    return candidates;
  }
}
