package dev.abacus.deploy.cli.report;

import dev.abacus.deploy.cli.option.CommandFailure;
import dev.abacus.deploy.job.InputDocument;
import dev.abacus.deploy.job.JobInput;
import dev.abacus.deploy.price.PricedPlan;
import dev.abacus.deploy.price.TokenForecasts;
import dev.abacus.optimizer.api.ProgramEstimates;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.document.InvalidDocumentException;
import dev.abacus.schemas.objective.Bound;
import dev.abacus.schemas.objective.Dimension;
import dev.abacus.schemas.objective.Objective;
import dev.abacus.schemas.program.Program;
import dev.abacus.schemas.program.Program.Source;
import dev.abacus.schemas.program.SampleBudget;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/** Prices documents without measurements. */
public final class NaivePriceReport {

  private NaivePriceReport() {}

  /**
   * Counts tokens and multiplies them by the catalogue's prices.
   *
   * @throws CommandFailure if the program names a model that is not in the catalogue
   */
  public static PriceReport of(
      Program program,
      ModelCatalogue catalogue,
      Objective objective,
      JobInput input,
      long documents) {
    TokenForecasts forecasts =
        new TokenForecasts(
            program,
            documents(input.documents(), (name, document) -> read(program.source(name), document)),
            documents(input.references(), (_, item) -> item),
            catalogue);
    String first = catalogue.chatModels(program.models(), program.tiers()).getFirst();
    TokenForecasts.Forecast forecast = forecasts.of(first);
    List<Bound> onCost =
        objective.bounds().stream().filter(bound -> bound.dimension() == Dimension.COST).toList();
    List<PricedPlan> plans =
        CommandFailure.checked(
            () ->
                PricedPlan.searched(
                    ProgramEstimates.ofPrices(
                        program, catalogue, model -> forecasts.of(model).byOperator()),
                    new Objective(objective.target(), onCost),
                    documents),
            "Name chat models of the catalogue under 'models'.");
    return new PriceReport(
        "prices",
        documents,
        plans,
        notes(program, objective, onCost, forecast, first, documents),
        forecast.byOperator(),
        forecast.unknown());
  }

  /** A document as operators see it; one that cannot be read calls no model. */
  private static Document read(Source source, Document document) {
    try {
      return source.files().read(document);
    } catch (InvalidDocumentException e) {
      return Document.empty();
    }
  }

  private static Map<String, List<Document>> documents(
      Map<String, List<InputDocument>> given, BiFunction<String, Document, Document> reading) {
    Map<String, List<Document>> documents = new LinkedHashMap<>();
    given.forEach((name, list) ->
        documents.put(
            name, list.stream().map(one -> reading.apply(name, one.document())).toList()));
    return documents;
  }

  private static List<String> notes(
      Program program,
      Objective objective,
      List<Bound> onCost,
      TokenForecasts.Forecast forecast,
      String first,
      long documents) {
    List<String> notes = new ArrayList<>();
    notes.add(
        "nothing but the catalogue's prices and %s: nothing was measured"
            .formatted(
                forecast.counted() == documents
                    ? "the tokens of the prompts over these documents"
                    : "the tokens of the prompts over %d of these documents, evenly spread"
                        .formatted(forecast.counted())));
    notes.add(
        "tokens as each model counts them, which is an estimate where its vocabulary is unknown; those of %s are shown"
            .formatted(first));
    notes.add(
        "one call per operator and document about all that it reads; techniques that read parts of a"
            + " document cost less, those that ask several times cost more");
    notes.add(
        "answers of usual length, since they are not known: texts of about 20 tokens, lists of 3, null"
            + " in every second field that may be");
    notes.add("no document dropped by a filter, so that it is less where filters drop many");
    notes.add("quality is that of the models on a public benchmark, and says little of this task");
    if (onCost.size() < objective.bounds().size()) {
      notes.add("bounds on quality and latency are left out for that reason");
    }
    notes.add("the search for a plan costs extra: " + budget(program));
    return notes;
  }

  private static String budget(Program program) {
    return switch (program.sampleBudget()) {
      case SampleBudget.Dollars(double usd) -> "at most " + Amounts.usd(usd);
      case SampleBudget.Tokens(long tokens) -> "at most %,d tokens".formatted(tokens);
      case SampleBudget.Invocations(int samples) -> samples + " samples, and the judge's calls";
    };
  }
}
