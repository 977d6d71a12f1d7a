package dev.abacus.topology.operator.rank;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.TextNode;
import dev.abacus.schemas.catalogue.TokenCounts;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.plan.ListwiseRanking;
import dev.abacus.schemas.plan.PairwiseRanking;
import dev.abacus.schemas.plan.PhysicalOperator.Ranking;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.Content;
import dev.abacus.topology.model.Embedders;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ModelAnswer;
import dev.abacus.topology.model.ModelClient;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiFunction;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The items are numbers; a greater number is better. */
class RankTechniquesTest {

  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final Pattern ITEM =
      Pattern.compile("<item n=\"\\d+\">\\s*(.*?)\\s*</item>", Pattern.DOTALL);

  private final Queue<ModelRequest> requests = new ConcurrentLinkedQueue<>();

  static Stream<Ranking> techniques() {
    return Stream.of(
        new PointwiseRanking("m"),
        new ListwiseRanking("m", 4),
        new ListwiseRanking("m", 10),
        new PairwiseRanking("m"));
  }

  private static SemanticRank rank(@Nullable Integer k) {
    return new SemanticRank("r", "in", "items", "It is great.", List.of("text"), k, "id", "items");
  }

  private static Document document(List<? extends JsonNode> items) {
    ArrayNode list = JSON.arrayNode();
    items.forEach(list::add);
    return Document.empty().with("text", TextNode.valueOf("Numbers.")).with("items", list);
  }

  private static List<JsonNode> numbers(List<Integer> numbers) {
    return numbers.stream().<JsonNode>map(JSON::numberNode).toList();
  }

  private OperatorOutcome run(
      Ranking technique, SemanticRank rank, Document document, ModelClient m)
      throws InterruptedException {
    return new OperatorRuntime(Embedders.of()).execute(rank, technique, document, m);
  }

  private List<Integer> ranked(Ranking technique, @Nullable Integer k, List<Integer> items)
      throws InterruptedException {
    OperatorOutcome outcome =
        run(technique, rank(k), document(numbers(items)), model(RankTechniquesTest::perfect));
    return ((OperatorOutcome.Kept) outcome)
        .document()
        .get("items")
        .valueStream()
        .map(JsonNode::intValue)
        .toList();
  }

  /** A model that answers about the shown items, given the name of the format. */
  private ModelClient model(BiFunction<String, List<Integer>, String> answers) {
    return request -> {
      requests.add(request);
      List<Integer> shown =
          ITEM.matcher(ScriptedModelClient.words(request))
              .results()
              .map(item -> Integer.valueOf(item.group(1)))
              .toList();
      String form = Objects.requireNonNull(request.responseSchema()).name();
      return new ModelAnswer.Success(
          answers.apply(form, shown),
          new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)),
          List.of());
    };
  }

  private static String perfect(String form, List<Integer> shown) {
    return switch (form) {
      case "rank_grade" -> "{\"grade\": %d}".formatted(shown.getFirst());
      case "rank_comparison" -> "{\"better\": %d}".formatted(shown.get(0) > shown.get(1) ? 1 : 2);
      default ->
          "{\"order\": %s}"
              .formatted(
                  IntStream.range(0, shown.size())
                      .boxed()
                      .sorted(Comparator.comparing(shown::get, Comparator.reverseOrder()))
                      .map(place -> place + 1)
                      .toList());
    };
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void rightAnswersGiveTheBestItemsInOrder(Ranking technique) throws Exception {
    Random random = new Random(7);
    int forecast = 0;
    int calls = 0;
    for (int size = 2; size <= 40; size++) {
      List<Integer> items = new ArrayList<>(IntStream.rangeClosed(1, size).boxed().toList());
      List<Integer> best = List.copyOf(items.reversed());
      for (Integer k : new Integer[] {null, 1, Math.min(5, size), size}) {
        Collections.shuffle(items, random);
        int kept = k == null ? size : k;
        requests.clear();
        assertThat(ranked(technique, k, items)).isEqualTo(best.subList(0, kept));
        forecast += technique.calls(size, kept);
        calls += requests.size();
        if (!(technique instanceof PairwiseRanking)) {
          assertThat(requests).hasSize(technique.calls(size, kept));
        }
      }
    }
    assertThat(calls).isBetween(forecast / 3, forecast);
  }

  @Test
  void aSearchResultWithTheBestItemFirstNeedsOneComparisonPerOtherItem() throws Exception {
    List<Integer> items = IntStream.rangeClosed(1, 20).boxed().toList().reversed();
    assertThat(ranked(new PairwiseRanking("m"), 1, items)).containsExactly(20);
    assertThat(requests).hasSize(19);
  }

  @Test
  void halfOfTheComparisonsShowThePivotFirst() throws Exception {
    ranked(new PairwiseRanking("m"), 1, IntStream.rangeClosed(1, 21).boxed().toList().reversed());
    assertThat(requests)
        .filteredOn(request -> ScriptedModelClient.words(request).contains("<item n=\"1\">\n21\n"))
        .hasSize(10);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[3, 3, 1]", // repeats an item and lacks others
        "[1, 99, -4, 0, 2]", // contains other numbers
        "[4, 3, 2, 1, 4, 3]",
        "[99999999999999, 2]"
      })
  void aDefectiveOrderNeitherLosesNorRepeatsAnItem(String order) throws Exception {
    List<Integer> items = IntStream.rangeClosed(1, 11).boxed().toList();
    OperatorOutcome outcome =
        run(
            new ListwiseRanking("m", 4),
            rank(null),
            document(numbers(items)),
            model((_, _) -> "{\"order\": " + order + "}"));
    assertThat(((OperatorOutcome.Kept) outcome).document().get("items").valueStream())
        .extracting(JsonNode::intValue)
        .containsExactlyInAnyOrderElementsOf(items);
  }

  @Test
  void itemsThatAnOrderLacksFollowInTheirPreviousOrder() throws Exception {
    OperatorOutcome outcome =
        run(
            new ListwiseRanking("m", 10),
            rank(null),
            document(numbers(List.of(7, 8, 9, 10))),
            model((_, _) -> "{\"order\": [3, 9, 3]}"));
    assertThat(((OperatorOutcome.Kept) outcome).document().get("items").toString())
        .isEqualTo("[9,7,8,10]");
  }

  @Test
  void anOrderThatNamesNoItemIsAFailure() throws Exception {
    OperatorOutcome outcome =
        run(
            new ListwiseRanking("m", 10),
            rank(null),
            document(numbers(List.of(1, 2))),
            model((_, _) -> "{\"order\": []}"));
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("the order [] names none of 2 items");
    assertThat(outcome.stats().cost()).isEqualTo(0.01);
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void equalItemsStayDistinct(Ranking technique) throws Exception {
    assertThat(ranked(technique, null, List.of(2, 1, 2, 3, 2))).containsExactly(3, 2, 2, 2, 1);
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void fewerThanTwoItemsNeedNoCall(Ranking technique) throws Exception {
    assertThat(ranked(technique, 5, List.of(4))).containsExactly(4);
    assertThat(ranked(technique, 5, List.of())).isEmpty();
    assertThat(requests).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void aDocumentWithoutTheListIsUnusable(Ranking technique) throws Exception {
    OperatorOutcome outcome =
        run(
            technique,
            rank(1),
            Document.empty().with("items", TextNode.valueOf("1, 2")),
            model(RankTechniquesTest::perfect));
    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .isEqualTo("the field 'items' is not a list");
    assertThat(requests).isEmpty();
  }

  @Test
  void equalGradesKeepTheOrder() throws Exception {
    OperatorOutcome outcome =
        run(
            new PointwiseRanking("m"),
            rank(2),
            document(numbers(List.of(5, 3, 9))),
            model((_, shown) -> shown.getFirst() == 9 ? "{\"grade\":80}" : "{\"grade\":20}"));
    assertThat(((OperatorOutcome.Kept) outcome).document().get("items").toString())
        .isEqualTo("[9,5]");
  }

  @Test
  void thePromptShowsTheReadFieldsOnceAndTheImagesOfItems() throws Exception {
    ArrayNode items = JSON.arrayNode();
    items.addObject().put("id", "x").putObject("photo").put("uri", "https://h.example/1.png");
    items.addObject().put("id", "y").putObject("photo").put("uri", "https://h.example/2.png");
    Document document = document(List.of()).with("items", items);
    run(
        new ListwiseRanking("m", 10),
        rank(null),
        document.with("secret", TextNode.valueOf("unread")),
        request -> {
          requests.add(request);
          return new ModelAnswer.Success(
              "{\"order\": [2, 1]}",
              new ExecutionStats(0.01, 0.5, 1, TokenCounts.of(10, 0, 1)),
              List.of());
        });
    ModelRequest request = Objects.requireNonNull(requests.peek());
    assertThat(request.system()).contains("It is great.");
    assertThat(ScriptedModelClient.words(request))
        .containsOnlyOnce("Numbers.")
        .containsOnlyOnce("(image 2)")
        .doesNotContain("unread");
    assertThat(request.content()).filteredOn(Content.Attachment.class::isInstance).hasSize(2);
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void callsOfOneRoundRunSideBySide(Ranking technique) throws Exception {
    OperatorOutcome outcome =
        run(
            technique,
            rank(1),
            document(numbers(List.of(3, 2, 1))),
            model(RankTechniquesTest::perfect));
    assertThat(outcome.stats().latency()).isEqualTo(0.5);
    assertThat(outcome.stats().calls()).isEqualTo(requests.size());
  }
}
