package dev.abacus.deploy.price;

import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.model.token.Tokenizer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The forecasts of a program for several models. Models with the same tokenizer share one. */
public final class TokenForecasts {

  private final Program program;
  private final Map<String, List<Document>> documents;
  private final Map<String, List<Document>> items;
  private final TokenCounter counter;
  private final Map<Tokenizer, TokenForecast> forecasts = new HashMap<>();

  /**
   * Forecasts for the models of a catalogue.
   *
   * @param documents documents by source; at least one in total
   * @param items known items by reference
   */
  public TokenForecasts(
      Program program,
      Map<String, List<Document>> documents,
      Map<String, List<Document>> items,
      ModelCatalogue catalogue) {
    this.program = program;
    this.documents = documents;
    this.items = items;
    this.counter = TokenCounter.of(catalogue);
  }

  /** The tokens as a model counts them. */
  public TokenForecast of(String model) {
    return forecasts.computeIfAbsent(
        counter.tokenizer(model), _ -> TokenForecast.of(program, documents, items, counter, model));
  }
}
