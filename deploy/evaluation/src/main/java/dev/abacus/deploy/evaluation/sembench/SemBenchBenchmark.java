package dev.abacus.deploy.evaluation.sembench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.LabelledDocument;
import dev.abacus.deploy.evaluation.load.LocalRun;
import dev.abacus.deploy.file.JsonLines;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import dev.abacus.schemas.program.io.InvalidTextException;
import dev.abacus.schemas.program.io.ProgramParser;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the queries over written reviews, as {@code abacus run --local} does: a broker, a worker, an
 * optimizer and simulated models.
 *
 * @param reviews number of reviews
 * @param samples budget of each search
 * @param models of the programs
 * @param speed of the simulated models; 1 is real time
 */
record SemBenchBenchmark(
    Set<MovieQuery> queries,
    int reviews,
    int samples,
    String models,
    double speed,
    long seed,
    Consumer<String> progress) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Difficulty of a review for the simulated models: a mixed one is harder. */
  private static final double MIXED = 0.4;

  private static final double CLEAR = 0.1;

  /**
   * A query that was run.
   *
   * @param score as SemBench computes it
   * @param usd what the documents would have cost, without the search
   * @param published scores of LOTUS, Palimpzest, ThalamusDB and BigQuery over other reviews with
   *     another, real model; NaN if the system cannot run the query
   */
  record Row(
      String query,
      double score,
      double usd,
      long results,
      long deadLetters,
      double seconds,
      List<Double> published) {}

  List<Row> run() throws IOException {
    MovieReviews written = MovieReviews.of(reviews, seed);
    List<Row> rows = new ArrayList<>();
    for (MovieQuery query : queries) {
      progress.accept(query.toString());
      try (DataFolder folder = DataFolder.of(null, "sembench")) {
        rows.add(row(query, written, folder.path()));
      } catch (InvalidTextException e) {
        throw new IllegalStateException(query.toString(), e);
      }
    }
    return rows;
  }

  private Row row(MovieQuery query, MovieReviews truth, Path folder)
      throws IOException, InvalidTextException {
    String program =
        query.program("budget: { samples: %d }\nmodels: [%s]\n".formatted(samples, models));
    Dataset.Written written = dataset(query, truth, program).writeTo(folder);
    JsonNode summary = LocalRun.of(folder, written.references().keySet(), speed, List.of());
    List<ObjectNode> lines =
        JsonLines.read(folder.resolve("results.jsonl")).stream()
            .map(line -> line.object().toJson())
            .toList();
    return new Row(
        query.toString(),
        query.score(lines, truth),
        summary.path("costUsd").asDouble(),
        lines.size(),
        summary.path("deadLetters").asLong(),
        summary.path("seconds").asDouble(),
        query.published());
  }

  private static Dataset dataset(MovieQuery query, MovieReviews reviews, String program)
      throws InvalidTextException {
    LogicalOperator operator =
        new ProgramParser(ModelCatalogue.builtIn()).parse(program).operator(query.operator());
    List<Review> documents = reviews.documents();
    return new Dataset(
        program,
        "reviews",
        reviews.reviews().stream()
            .map(review -> labelled(query, operator, review, documents))
            .toList(),
        Map.of("others", documents.stream().map(SemBenchBenchmark::document).toList()));
  }

  private static ObjectNode document(Review review) {
    return JSON.objectNode()
        .put("reviewId", review.id())
        .put("id", review.movie())
        .put("reviewText", review.text());
  }

  private static LabelledDocument labelled(
      MovieQuery query, @Nullable LogicalOperator operator, Review review, List<Review> documents) {
    double hard = review.score() == 3 || review.score() == 4 ? MIXED : CLEAR;
    LabelledDocument.Builder built =
        LabelledDocument.builder(
                review.id(), review.example() ? Dataset.VALIDATION : "test", document(review))
            .label(query.operator(), query.label(review, documents))
            .answer("positive", JSON.numberNode(review.isPositive() ? 1 : 0), List.of(), hard)
            .answer("scoreSentiment", JSON.textNode(MovieQuery.sentiment(review)), List.of(), hard)
            .answer("reviewScore", JSON.numberNode(review.score()), List.of(), hard)
            // Reviews have sentences in common; the simulated models know them by this one alone.
            .knownBy(JSON.objectNode().put("reviewText", review.header()));
    if (operator instanceof SemanticFilter filter) {
      built.condition(filter.condition(), JSON.booleanNode(review.isPositive()), List.of(), hard);
    } else if (operator instanceof ReferenceJoin join) {
      JsonNode partners =
          query.partners(
              review,
              documents.stream()
                  .filter(other -> other.movie().equals(review.movie()))
                  .filter(other -> !other.id().equals(review.id())));
      built.condition(join.condition(), partners, List.of(), hard);
    }
    return built.build();
  }
}
