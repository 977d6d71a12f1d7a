package dev.abacus.deploy.evaluation.sembench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.program.io.ProgramParser;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MovieQueryTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

  private final MovieReviews reviews = MovieReviews.of(2000, 1);

  @Test
  void theSameSeedWritesTheSameReviewsAndNoTwoAreAlike() {
    assertThat(reviews.documents()).hasSize(2000);
    assertThat(reviews.reviews()).extracting(Review::header).doesNotHaveDuplicates();
    assertThat(MovieReviews.of(2000, 1)).isEqualTo(reviews);
    assertThat(MovieReviews.of(2000, 2)).isNotEqualTo(reviews);
  }

  @ParameterizedTest
  @EnumSource(MovieQuery.class)
  void theProgramIsThatOfThePageAndAsksTheLabelledOperator(MovieQuery query) throws Exception {
    String page = Files.readString(Path.of("../../docs/sembench.md"));
    String program = query.program("");
    String operators = program.substring(program.indexOf("- "));

    assertThat(page)
        .contains("**%s**".formatted(query))
        .contains("\n```yaml\n" + operators + "```");
    assertThat(new ProgramParser(ModelCatalogue.builtIn()).parse(program).semanticOperators())
        .singleElement()
        .satisfies(operator -> assertThat(operator.id()).isEqualTo(query.operator()));
  }

  @Test
  void rightAnswersHaveTheBestScoreAndWrongOnesALowerOne() {
    List<Review> all = reviews.documents();
    List<ObjectNode> positive =
        all.stream()
            .filter(Review::isPositive)
            .map(one -> JSON.objectNode().put("reviewId", one.id()))
            .toList();
    assertThat(MovieQuery.Q1.score(positive.subList(0, 5), reviews)).isEqualTo(1);
    assertThat(MovieQuery.Q1.score(positive.subList(0, 3), reviews)).isCloseTo(0.75, within(1e-9));
    assertThat(MovieQuery.Q1.score(List.of(), reviews)).isZero();

    List<ObjectNode> pairs =
        all.stream()
            .filter(one -> one.movie().equals(MovieReviews.COMPARED))
            .flatMap(
                one -> MovieQuery.Q7.label(one, all).valueStream().map(other -> pair(one, other)))
            .toList();
    assertThat(MovieQuery.Q7.score(pairs, reviews)).isEqualTo(1);
    assertThat(MovieQuery.Q6.score(pairs, reviews)).isEqualTo(1);
    assertThat(MovieQuery.Q5.score(pairs, reviews)).isZero();

    List<ObjectNode> scores =
        all.stream()
            .map(one -> JSON.objectNode().put("reviewId", one.id()).put("reviewScore", one.score()))
            .toList();
    assertThat(MovieQuery.Q9.score(scores, reviews)).isCloseTo(1, within(1e-9));
  }

  private static ObjectNode pair(Review one, JsonNode other) {
    ObjectNode pair = JSON.objectNode().put("reviewId", one.id());
    pair.putObject("other").set("reviewId", other);
    return pair;
  }

  @Test
  void scoresAreThoseOfSemBench() {
    assertThat(MovieScore.f1(List.of("a", "b", "x", "y"), Set.of("a", "b", "c"), 4))
        .isCloseTo(2 * 0.5 * (2 / 3.0) / (0.5 + 2 / 3.0), within(1e-9));
    assertThat(MovieScore.closeness(Map.of("n", 11.0), Map.of("n", 7.0)))
        .isCloseTo(7 / 11.0, within(1e-9));
    assertThat(MovieScore.closeness(Map.of(), Map.of("n", 7.0))).isEqualTo(0.5);
    Map<String, Double> truth = Map.of("a", 1.0, "b", 2.0, "c", 3.0, "d", 4.0);
    assertThat(MovieScore.correlation(Map.of("a", 1.0, "b", 5.0, "c", 7.0, "d", 9.0), truth))
        .isCloseTo(1, within(1e-9));
    assertThat(MovieScore.correlation(Map.of("a", 1.0, "b", 1.0, "c", 2.0, "d", 2.0), truth))
        .isCloseTo(0.894427, within(1e-6));
    assertThat(MovieScore.correlation(Map.of("a", 3.0, "b", 3.0), truth)).isZero();
  }
}
