package dev.abacus.deploy.evaluation.sembench;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.deploy.evaluation.dataset.Dataset;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A query of the scenario Movie. The numbers are the qualities that SemBench publishes for LOTUS,
 * Palimpzest, ThalamusDB and BigQuery with Gemini 2.5 Flash over its own 2,000 reviews; {@link
 * Double#NaN} if the system cannot run it.
 */
enum MovieQuery {
  Q1("positive", 1.00, 1.00, 0.95, 1.00),
  Q2("positive", 1.00, 1.00, 0.92, 1.00),
  Q3("positive", 0.64, 0.64, 0.74, 0.64),
  Q4("sentiment", 0.64, 0.74, 0.74, 0.64),
  Q5("same", 0.59, 0.39, 1.00, 0.89),
  Q6("opposite", 0.67, 0.83, 0.84, 0.69),
  Q7("opposite", 0.21, 0.68, 0.57, 0.70),
  Q8("sentiment", 0.93, 0.86, 0.83, 0.76),
  Q9("liking", 0.75, 0.78, Double.NaN, 0.78),
  Q10("liking", 0.40, 0.42, Double.NaN, 0.44);

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final String operator;

  @SuppressWarnings("ImmutableEnumChecker") // List.of
  private final List<Double> published;

  MovieQuery(String operator, Double... published) {
    this.operator = operator;
    this.published = List.of(published);
  }

  /** The operator that asks a model. */
  String operator() {
    return operator;
  }

  List<Double> published() {
    return published;
  }

  /** The program, as docs/sembench.md states it, with its settings. */
  String program(String settings) {
    List<String> parts =
        List.of(Dataset.resource(MovieReviews.RESOURCES + "movie.yaml").split("(?m)^---\\R", -1));
    String mark = "# " + this + "\n";
    String operators =
        parts.stream().filter(part -> part.startsWith(mark)).findFirst().orElseThrow();
    return "program: movie\n%soperators:\n%s%s".formatted(parts.getFirst(), operators, settings);
  }

  /** The label of a review for {@link #operator}. */
  JsonNode label(Review review, List<Review> all) {
    return switch (this) {
      case Q1 -> JSON.booleanNode(review.isPositive());
      case Q2, Q3 -> JSON.booleanNode(review.isPositive() && isAbout(review, MovieReviews.PANNED));
      case Q4 -> JSON.objectNode().put("positive", review.isPositive() ? 1 : 0);
      case Q5, Q6, Q7 -> partners(review, all.stream().filter(review::isBefore));
      case Q8 -> JSON.objectNode().put("scoreSentiment", sentiment(review));
      case Q9, Q10 -> JSON.objectNode().put("reviewScore", review.score());
    };
  }

  /** The ids of those of the reviews with which a review is a right pair. */
  ArrayNode partners(Review review, Stream<Review> others) {
    ArrayNode ids = JSON.arrayNode();
    others.filter(other -> isPair(review, other)).forEach(other -> ids.add(other.id()));
    return ids;
  }

  private boolean isPair(Review review, Review other) {
    return (review.isPositive() == other.isPositive()) == (this == Q5);
  }

  private static boolean isAbout(Review review, String movie) {
    return review.movie().equals(movie);
  }

  static String sentiment(Review review) {
    return review.isPositive() ? "POSITIVE" : "NEGATIVE";
  }

  /** The score of results, as SemBench computes it. */
  double score(List<? extends JsonNode> results, MovieReviews truth) {
    List<Review> all = truth.documents();
    List<Review> panned = all.stream().filter(one -> isAbout(one, MovieReviews.PANNED)).toList();
    return switch (this) {
      case Q1 -> MovieScore.f1(texts(results, "reviewId"), ids(all, Review::isPositive), 5);
      case Q2 -> MovieScore.f1(texts(results, "reviewId"), ids(panned, Review::isPositive), 5);
      case Q3 ->
          MovieScore.closeness(
              numbers(results, _ -> "count", "positive_review_cnt"),
              Map.of("count", positives(panned)));
      case Q4 ->
          MovieScore.closeness(
              numbers(results, _ -> "ratio", "positivity_ratio"),
              Map.of("ratio", positives(panned) / panned.size()));
      case Q5, Q6 -> MovieScore.f1(foundPairs(results), pairs(all), 10);
      case Q7 -> MovieScore.f1(foundPairs(results), pairs(all), Integer.MAX_VALUE);
      case Q8 ->
          MovieScore.closeness(
              numbers(results, result -> result.path("scoreSentiment").asText(), "count"),
              panned.stream()
                  .collect(
                      Collectors.groupingBy(
                          MovieQuery::sentiment, Collectors.summingDouble(_ -> 1))));
      case Q9 ->
          MovieScore.correlation(
              numbers(results, result -> result.path("reviewId").asText(), "reviewScore"),
              all.stream().collect(Collectors.toMap(Review::id, one -> (double) one.score())));
      case Q10 ->
          MovieScore.correlation(
              numbers(results, result -> result.path("id").asText(), "movieScore"),
              truth.audience());
    };
  }

  private static double positives(List<Review> reviews) {
    return reviews.stream().filter(Review::isPositive).count();
  }

  private static Set<String> ids(List<Review> reviews, Predicate<Review> chosen) {
    return reviews.stream().filter(chosen).map(Review::id).collect(Collectors.toSet());
  }

  private Set<String> pairs(List<Review> all) {
    List<Review> compared =
        all.stream().filter(one -> isAbout(one, MovieReviews.COMPARED)).toList();
    return compared.stream()
        .flatMap(one ->
            compared.stream()
                .filter(other -> one.isBefore(other) && isPair(one, other))
                .map(other -> one.id() + " " + other.id()))
        .collect(Collectors.toSet());
  }

  private static List<String> foundPairs(List<? extends JsonNode> results) {
    return results.stream()
        .map(pair -> pair.path("reviewId").asText() + " " + pair.at("/other/reviewId").asText())
        .toList();
  }

  private static List<String> texts(List<? extends JsonNode> results, String field) {
    return results.stream().map(result -> result.path(field).asText()).toList();
  }

  private static Map<String, Double> numbers(
      List<? extends JsonNode> results, Function<JsonNode, String> key, String field) {
    return results.stream().collect(Collectors.toMap(key, result -> result.path(field).asDouble()));
  }
}
