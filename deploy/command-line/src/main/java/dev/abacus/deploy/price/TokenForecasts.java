package dev.abacus.deploy.price;

import dev.abacus.optimizer.api.CallTokens;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.topology.model.token.TokenCounter;
import dev.abacus.topology.model.token.Tokenizer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Forecasts of the tokens of a program, assuming one call of one model per operator with all fields
 * that it reads. Uses the product's prompts over the documents and {@link PlaceholderAnswer}s.
 * Assumes that filters drop only documents whose condition in code is false. Models with the same
 * tokenizer share a forecast.
 */
public final class TokenForecasts {

  private static final int MOST_COUNTED = 200;

  private final Program program;
  private final Map<String, List<Document>> documents;
  private final Map<String, List<Document>> items;
  private final TokenCounter counter;
  private final Map<Tokenizer, Forecast> forecasts = new HashMap<>();

  private record Sourced(Source source, Document document) {}

  /**
   * What one tokenizer counts.
   *
   * @param byOperator tokens per source document, by semantic operator
   * @param unknown operators without a forecast, with the reason
   * @param counted number of documents whose tokens were counted
   */
  public record Forecast(
      Map<String, CallTokens> byOperator, Map<String, String> unknown, int counted) {

    public Forecast {
      byOperator = Collections.unmodifiableMap(new TreeMap<>(byOperator));
      unknown = Collections.unmodifiableMap(new TreeMap<>(unknown));
    }
  }

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

  /** The tokens of at most 200 evenly spread documents, as a model counts them. */
  public Forecast of(String model) {
    return forecasts.computeIfAbsent(counter.tokenizer(model), _ -> count(model));
  }

  private Forecast count(String model) {
    List<Sourced> all = new ArrayList<>();
    for (Source source : program.sources()) {
      documents
          .getOrDefault(source.name(), List.of())
          .forEach(document -> all.add(new Sourced(source, document)));
    }
    int counted = Math.min(all.size(), MOST_COUNTED);
    Map<String, CallTokens> sums = new TreeMap<>();
    Map<String, String> unknown = new TreeMap<>();
    for (int i = 0; i < counted; i++) {
      Sourced one = all.get((int) ((long) i * all.size() / counted));
      DocumentWalk walk = new DocumentWalk(program, items, counter, model);
      walk.go(one.source(), one.document());
      walk.tokens().forEach((id, tokens) -> sums.merge(id, tokens, CallTokens::plus));
      unknown.putAll(walk.unknown());
    }
    sums.replaceAll((_, sum) -> sum.times(1.0 / counted));
    unknown.keySet().forEach(sums::remove);
    program.operators().stream()
        .filter(operator -> !operator.isSemantic())
        .forEach(operator -> unknown.remove(operator.id()));
    return new Forecast(sums, unknown, counted);
  }
}
