package dev.abacus.deploy.evaluation.sembench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
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
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs the queries over written reviews, as {@code abacus run --local} does: a broker, a worker, an
 * optimizer and simulated models.
 */
record SemBenchBenchmark(Options options, Consumer<String> progress) {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Difficulty of a review for the simulated models: a mixed one is harder. */
  private static final double MIXED = 0.4;

  private static final double CLEAR = 0.1;

  /**
   * Options of the benchmark.
   *
   * @param reviews number of reviews
   * @param samples budget of each search
   * @param models of the programs
   * @param speed of the simulated models; 1 is real time
   */
  record Options(
      Set<MovieQuery> queries, int reviews, int samples, String models, double speed, long seed) {}

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
    MovieReviews reviews = MovieReviews.of(options.reviews(), options.seed());
    List<Row> rows = new ArrayList<>();
    for (MovieQuery query : options.queries()) {
      progress.accept(query.toString());
      try (DataFolder folder = DataFolder.of(null, "sembench")) {
        rows.add(row(query, reviews, folder.path()));
      } catch (InvalidTextException e) {
        throw new IllegalStateException(query.toString(), e);
      }
    }
    return rows;
  }

  private Row row(MovieQuery query, MovieReviews reviews, Path folder)
      throws IOException, InvalidTextException {
    write(query, reviews, folder);
    List<String> arguments =
        new ArrayList<>(List.of("run", folder.resolve("program.yaml").toString(), "--local"));
    for (String name : List.of("documents", "validation", "answers")) {
      arguments.addAll(List.of("--" + name, folder.resolve(name + ".jsonl").toString()));
    }
    Path results = folder.resolve("results.jsonl");
    arguments.addAll(List.of("--reference", "others=" + folder.resolve("documents.jsonl")));
    arguments.addAll(List.of("--speed", String.valueOf(options.speed())));
    arguments.addAll(List.of("--results", results.toString(), "-o", "json"));
    JsonNode summary = LocalRun.of(arguments);
    List<ObjectNode> lines =
        JsonLines.read(results).stream().map(line -> line.object().toJson()).toList();
    return new Row(
        query.toString(),
        query.score(lines, reviews),
        summary.path("costUsd").asDouble(),
        lines.size(),
        summary.path("deadLetters").asLong(),
        summary.path("seconds").asDouble(),
        query.published());
  }

  private void write(MovieQuery query, MovieReviews reviews, Path folder)
      throws IOException, InvalidTextException {
    String program =
        query.program(
            "budget: { samples: %d }\nmodels: [%s]\n"
                .formatted(options.samples(), options.models()));
    Files.writeString(folder.resolve("program.yaml"), program);
    LogicalOperator operator =
        new ProgramParser(ModelCatalogue.builtIn()).parse(program).operator(query.operator());
    List<Review> documents = reviews.documents();
    JsonLines.write(
        folder.resolve("documents.jsonl"), documents.stream().map(SemBenchBenchmark::document));
    JsonLines.write(
        folder.resolve("validation.jsonl"),
        reviews.reviews().stream()
            .filter(Review::example)
            .map(review -> example(query, review, documents)));
    JsonLines.write(
        folder.resolve("answers.jsonl"),
        reviews.reviews().stream().map(review -> truth(query, operator, review, documents)));
  }

  private static ObjectNode document(Review review) {
    return JSON.objectNode()
        .put("reviewId", review.id())
        .put("id", review.movie())
        .put("reviewText", review.text());
  }

  private static ObjectNode example(MovieQuery query, Review review, List<Review> documents) {
    ObjectNode example = JSON.objectNode().put("id", review.id()).put("source", "reviews");
    example.set("document", document(review));
    example.putObject("labels").set(query.operator(), query.label(review, documents));
    return example;
  }

  /** A line of the answers file of the simulated models. */
  private static ObjectNode truth(
      MovieQuery query, @Nullable LogicalOperator operator, Review review, List<Review> documents) {
    ObjectNode line = JSON.objectNode().put("id", review.id());
    // Reviews have sentences in common; the simulated models know them by this one alone.
    line.putObject("document").put("reviewText", review.header());
    line.putObject("answers")
        .put("positive", review.isPositive() ? 1 : 0)
        .put("scoreSentiment", MovieQuery.sentiment(review))
        .put("reviewScore", review.score());
    ObjectNode difficulty = line.putObject("difficulty");
    double hard = review.score() == 3 || review.score() == 4 ? MIXED : CLEAR;
    List.of("positive", "scoreSentiment", "reviewScore")
        .forEach(field -> difficulty.put(field, hard));
    if (operator instanceof SemanticFilter filter) {
      line.putObject("conditions").put(filter.condition(), review.isPositive());
      difficulty.put(filter.condition(), hard);
    } else if (operator instanceof ReferenceJoin join) {
      line.putObject("conditions")
          .set(
              join.condition(),
              query.partners(
                  review,
                  documents.stream()
                      .filter(other -> other.movie().equals(review.movie()))
                      .filter(other -> !other.id().equals(review.id()))));
      difficulty.put(join.condition(), hard);
    }
    return line;
  }
}
