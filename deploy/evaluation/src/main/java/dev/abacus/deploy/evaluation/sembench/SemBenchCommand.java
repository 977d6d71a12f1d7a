package dev.abacus.deploy.evaluation.sembench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.deploy.cli.report.Table;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import dev.abacus.deploy.evaluation.dataset.LabelledDocument;
import dev.abacus.deploy.evaluation.load.BenchmarkCommand;
import dev.abacus.deploy.evaluation.load.BenchmarkProgram;
import dev.abacus.deploy.evaluation.load.LocalRun;
import dev.abacus.deploy.local.DataFolder;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.SemanticFilter;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code abacus bench sembench}: runs the queries over written reviews, as {@code abacus run
 * --local} does: a broker, a worker, an optimizer and simulated models.
 */
@Command(
    name = "sembench",
    description = {
      "Run the queries of SemBench's scenario Movie (docs/sembench.md) over invented reviews "
          + "whose truth is known, through Kafka, a worker and an optimizer, and score the answers "
          + "as SemBench does.",
      "Models are simulated: the scores show what becomes of simulated errors, not how good a "
          + "model is."
    },
    footer = "  abacus bench sembench --only Q3,Q7")
public final class SemBenchCommand extends BenchmarkCommand<List<SemBenchCommand.Row>> {

  private static final int FEWEST = 300;

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  /** Difficulty of a review for the simulated models: a mixed one is harder. */
  private static final double MIXED = 0.4;

  private static final double CLEAR = 0.1;

  @Option(
      names = "--only",
      paramLabel = "QUERY",
      split = ",",
      description = "${COMPLETION-CANDIDATES} (default: all).")
  private Set<MovieQuery> queries = EnumSet.allOf(MovieQuery.class);

  @Option(
      names = "--reviews",
      paramLabel = "N",
      defaultValue = "2000",
      description = "Number of reviews, at least " + FEWEST + " (default: ${DEFAULT-VALUE}).")
  private int reviews;

  @Option(
      names = "--samples",
      paramLabel = "N",
      defaultValue = "40",
      description = "Budget of each search (default: ${DEFAULT-VALUE}).")
  private int samples;

  @Option(
      names = "--models",
      paramLabel = "NAMES",
      defaultValue = "gpt-4o-mini,gpt-4.1-mini,gpt-4.1-nano",
      description = "Models of the programs (default: ${DEFAULT-VALUE}).")
  private String models = "";

  @Option(
      names = "--speed",
      paramLabel = "X",
      defaultValue = "20",
      description = "Speed factor of simulated models (default: ${DEFAULT-VALUE}).")
  private double speed;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Seed of the reviews (default: ${DEFAULT-VALUE}).")
  private long seed;

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

  @Override
  protected void check() {
    if (reviews < FEWEST || samples < 1 || !(speed > 0)) {
      throw new IllegalArgumentException(
          "--reviews must be at least %d, --samples and --speed above 0".formatted(FEWEST));
    }
  }

  @Override
  protected List<Row> measure() throws IOException {
    MovieReviews written = MovieReviews.of(reviews, seed);
    List<Row> rows = new ArrayList<>();
    for (MovieQuery query : queries) {
      step(query.toString());
      try (DataFolder folder = DataFolder.of(null, "sembench")) {
        rows.add(row(query, written, folder.path()));
      }
    }
    return rows;
  }

  private Row row(MovieQuery query, MovieReviews truth, Path folder) throws IOException {
    String program =
        query.program("budget: { samples: %d }\nmodels: [%s]\n".formatted(samples, models));
    Dataset.Written written = dataset(query, truth, program).writeTo(folder);
    LocalRun run = LocalRun.of(folder, written.references().keySet(), speed, List.of());
    return new Row(
        query.toString(),
        query.score(run.results(), truth),
        run.summary().path("costUsd").asDouble(),
        run.results().size(),
        run.summary().path("deadLetters").asLong(),
        run.summary().path("seconds").asDouble(),
        query.published());
  }

  private static Dataset dataset(MovieQuery query, MovieReviews reviews, String program) {
    LogicalOperator operator = BenchmarkProgram.parse(program).operator(query.operator());
    List<Review> documents = reviews.documents();
    return new Dataset(
        program,
        "reviews",
        reviews.reviews().stream()
            .map(review -> labelled(query, operator, review, documents))
            .toList(),
        Map.of("others", documents.stream().map(SemBenchCommand::document).toList()));
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
    LabelledDocument built =
        LabelledDocument.of(
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
    return built;
  }

  @Override
  protected void print(List<Row> rows) {
    line(
        "SIMULATED models over invented reviews: nothing was spent, and quality is not that of real ones.");
    line(
        "The scores of other systems are those that SemBench publishes, over its own reviews with Gemini 2.5 Flash.");
    Table table =
        new Table(
            "query",
            "SIMULATED",
            "USD",
            "results",
            "dead letters",
            "LOTUS",
            "Palimpzest",
            "ThalamusDB",
            "BigQuery");
    for (Row row : rows) {
      table.row(
          Stream.concat(
                  Stream.of(
                      row.query(),
                      figure(row.score(), 2),
                      figure(row.usd(), 4),
                      String.valueOf(row.results()),
                      String.valueOf(row.deadLetters())),
                  row.published().stream().map(score -> figure(score, 2)))
              .toArray(Object[]::new));
    }
    table.lines().forEach(text -> line("%s", text));
  }
}
