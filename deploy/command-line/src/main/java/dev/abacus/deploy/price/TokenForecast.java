package dev.abacus.deploy.price;

import dev.abacus.optimizer.api.CallTokens;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.topology.model.token.TokenCounter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Forecast of the tokens of a program, assuming one call of one model per operator with all fields
 * that it reads. Uses the product's prompts over the documents and {@link PlaceholderAnswer}s.
 * Assumes that filters drop only documents whose condition in code is false.
 *
 * @param byOperator tokens per source document, by semantic operator
 * @param unknown operators without a forecast, with the reason
 * @param counted number of documents whose tokens were counted
 */
public record TokenForecast(
    Map<String, CallTokens> byOperator, Map<String, String> unknown, int counted) {

  private static final int MOST_COUNTED = 200;

  public TokenForecast {
    byOperator = Collections.unmodifiableMap(new TreeMap<>(byOperator));
    unknown = Collections.unmodifiableMap(new TreeMap<>(unknown));
  }

  private record Sourced(Source source, Document document) {}

  /**
   * Counts tokens over at most 200 evenly spread documents, as a model counts them.
   *
   * @param documents documents by source; at least one in total
   * @param items known items by reference
   * @param model name of the model in the counter's catalogue
   */
  static TokenForecast of(
      Program program,
      Map<String, List<Document>> documents,
      Map<String, List<Document>> items,
      TokenCounter counter,
      String model) {
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
    return new TokenForecast(sums, unknown, counted);
  }
}
