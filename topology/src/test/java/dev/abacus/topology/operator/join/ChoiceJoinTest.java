package dev.abacus.topology.operator.join;

import static dev.abacus.topology.model.ScriptedModelClient.fail;
import static dev.abacus.topology.model.ScriptedModelClient.say;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.MatchCounts;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.model.ModelFailure;
import dev.abacus.topology.model.ModelRequest;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Score;
import dev.abacus.topology.scoring.Scorer;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A join that names all matches among the most similar items in one call. */
class ChoiceJoinTest extends FruitReference {

  private static final Pattern ITEM =
      Pattern.compile("<item n=\"(\\d+)\">\\s*\\{\"name\":\"([^\"]+)\"");
  private static final ReferenceJoin INNER = join(JoinKind.INNER, false);
  private static final Document WISH = document("{\"wish\": \"red small round cherry\"}");

  private static OperatorOutcome run(OperatorRuntime runtime, int k, ScriptedModelClient model)
      throws Exception {
    return runtime.execute(INNER, new ChoiceJoin("m", "words", k), WISH, model);
  }

  private OperatorOutcome run(int k, ScriptedModelClient model) throws Exception {
    return run(operators, k, model);
  }

  private static List<String> found(OperatorOutcome outcome) {
    return ((OperatorOutcome.Kept) outcome)
        .documents().stream().map(output -> output.get("item").path("name").asText()).toList();
  }

  private static String failure(OperatorOutcome outcome) {
    return ((OperatorOutcome.Failed) outcome).failure().message();
  }

  /** Names the items of this name that the prompt shows. */
  private static ScriptedModelClient naming(String... names) {
    return ScriptedModelClient.always(request -> {
      ArrayNode numbers = JsonNodeFactory.instance.arrayNode();
      Matcher item = ITEM.matcher(ScriptedModelClient.words(request));
      while (item.find()) {
        if (List.of(names).contains(item.group(2))) {
          numbers.add(Integer.parseInt(item.group(1)));
        }
      }
      return say("{\"items\": " + numbers + "}").answer(request);
    });
  }

  @Test
  void oneCallNamesAllMatchesAmongTheMostSimilarItems() throws Exception {
    ScriptedModelClient model = naming("apple", "banana", "cherry");
    OperatorOutcome outcome = run(2, model);

    assertThat(found(outcome)).as("by key").containsExactly("apple", "cherry");
    assertThat(model.requests())
        .singleElement()
        .satisfies(request -> {
          assertThat(request.system()).contains("The document wants it.");
          assertThat(ScriptedModelClient.words(request))
              .contains("red small round cherry", "<item n=\"1\">\n{\"name\":\"cherry\"")
              .doesNotContain("banana");
        });
    assertThat(outcome.stats().calls()).isEqualTo(1);
    assertThat(outcome.stats().cost()).isCloseTo(0.01 + 0.001, within(1e-9));
  }

  @Test
  void noneIsAnAnswer() throws Exception {
    assertThat(found(run(2, naming()))).isEmpty();
    assertThat(
            operators.execute(
                join(JoinKind.LEFT, true), new ChoiceJoin("m", "words", 2), WISH, naming()))
        .extracting(outcome -> ((OperatorOutcome.Kept) outcome).document().get("item"))
        .isEqualTo(JsonNodeFactory.instance.arrayNode());
  }

  @Test
  void aNumberThatNoItemHasIsAskedAboutAgainAndNeverNoMatch() throws Exception {
    ScriptedModelClient mended =
        new ScriptedModelClient(say("{\"items\": [1, 3]}"), say("{\"items\": [1]}"));
    assertThat(found(run(2, mended))).containsExactly("cherry");
    assertThat(ScriptedModelClient.words(mended.requests().getLast()))
        .contains("items[1]: must be at most 2, but is 3");

    assertThat(failure(run(2, ScriptedModelClient.always(say("{\"items\": [0]}")))))
        .contains("items[0]: must be at least 1, but is 0");
    assertThat(failure(run(2, ScriptedModelClient.always(say("none of them")))))
        .contains("no valid JSON object");
  }

  @Test
  void theTextsOfAListAreQueriesOfTheirOwn() throws Exception {
    ScriptedModelClient model = naming("banana", "cherry");
    OperatorOutcome outcome =
        operators.execute(
            INNER,
            new ChoiceJoin("m", "words", 2),
            document("{\"wish\": [\"red small round cherry\", \"yellow long banana\"]}"),
            model);

    assertThat(found(outcome)).containsExactly("banana", "cherry");
  }

  @Test
  void candidatesThatExceedTheContextAreShownInParts() throws Exception {
    ScriptedModelClient naming = naming("apple", "banana");
    ScriptedModelClient model =
        ScriptedModelClient.always(request ->
            count(request) > 1
                ? fail(new ModelFailure.ContextTooLong("too long")).answer(request)
                : naming.call(request));

    assertThat(found(run(3, model))).containsExactly("apple", "banana");
    assertThat(naming.requests()).hasSize(3).allMatch(request -> count(request) == 1);
    assertThat(
            failure(
                run(
                    3,
                    ScriptedModelClient.always(fail(new ModelFailure.ContextTooLong("too long"))))))
        .as("one item alone does not fit")
        .contains("too long");
  }

  private static long count(ModelRequest request) {
    return ITEM.matcher(ScriptedModelClient.words(request)).results().count();
  }

  @Test
  void aDocumentWithoutTextIsUnusable() throws Exception {
    OperatorOutcome outcome =
        operators.execute(
            INNER,
            new ChoiceJoin("m", "words", 2),
            document("{\"wish\": \" \"}"),
            new ScriptedModelClient());
    assertThat(failure(outcome)).isEqualTo("the document has no text to compare");
  }

  @Test
  void anEmptyReferenceHasNoMatchAndNeedsNoCall() throws Exception {
    List.of("apple", "banana", "cherry").forEach(fruit::remove);
    assertThat(found(run(2, new ScriptedModelClient()))).isEmpty();
  }

  private void manyItems() {
    for (int i = 0; i < 1_000; i++) {
      item("item-" + i, "word" + i);
    }
  }

  private OperatorRuntime sampling(@Nullable JsonNode label, String example) throws Exception {
    return operators.forSample(INNER, WISH, label, example).operators();
  }

  private static List<Evidence.Pair> pairs(OperatorOutcome outcome) {
    Evidence evidence = ((OperatorOutcome.Kept) outcome).evidence();
    return ((Evidence.Pairs) Objects.requireNonNull(evidence)).pairs();
  }

  private static JsonNode label(String... names) {
    ArrayNode label = JsonNodeFactory.instance.arrayNode();
    List.of(names).forEach(label::add);
    return label;
  }

  /** The match with banana is no candidate, item-9 is one that does not match. */
  @Test
  void aSampleSearchesTheWholeReferenceAndCountsWhatTheShortlistLacks() throws Exception {
    manyItems();
    item("item-9", "red small round cherry tomato");
    JsonNode label = label("banana", "cherry");
    OperatorRuntime sampling = sampling(label, "example-1");
    OperatorOutcome outcome = run(sampling, 3, naming("banana", "cherry", "item-9"));

    assertThat(found(outcome)).containsExactly("cherry", "item-9");
    assertThat(outcome.stats().cost()).as("one call").isCloseTo(0.011, within(1e-9));
    assertThat(outcome.stats().paid()).isCloseTo(0.011, within(1e-9));
    assertThat(pairs(outcome)).allMatch(Evidence.Pair::labelled);
    assertThat(pairs(outcome).stream().mapToDouble(Evidence.Pair::weight).sum())
        .isCloseTo(1_003, within(1e-6));
    MatchCounts counts = MatchCounts.of(pairs(outcome));
    assertThat(List.of(counts.found(), counts.wrong(), counts.missed()))
        .containsExactly(1.0, 1.0, 1.0);
    assertThat(score(outcome, label, sampling, new ScriptedModelClient()).quality()).isEqualTo(0.5);
  }

  /** The judge says that cherry and the items whose number ends with 7 match. */
  @Test
  void withoutALabelTheJudgeDecidesWhatTheJoinNamedAndTheItemsOfTheSample() throws Exception {
    manyItems();
    item("item-9", "red small round cherry tomato");
    Pattern matching = Pattern.compile("name\">(cherry|item-\\d*7)<");
    double missed = 0;
    int examples = 100;
    for (int i = 0; i < examples; i++) {
      OperatorRuntime sampling = sampling(null, "example-" + 31 * i);
      OperatorOutcome outcome = run(sampling, 3, naming("cherry", "item-9"));
      ScriptedModelClient judge =
          ScriptedModelClient.always(request ->
              say(matching.matcher(secondDocument(request)).find() ? YES : NO).answer(request));
      Score score = score(outcome, null, sampling, judge);
      MatchCounts counts = MatchCounts.of(Objects.requireNonNull(score.pairs()).pairs());
      assertThat(List.of(counts.found(), counts.wrong())).containsExactly(1.0, 1.0);
      missed += counts.missed() / examples;
    }
    assertThat(missed).as("100 items match and are not named").isCloseTo(100, within(20.0));
  }

  private static Score score(
      OperatorOutcome outcome,
      @Nullable JsonNode label,
      OperatorRuntime sampling,
      ScriptedModelClient judge)
      throws Exception {
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(INNER)
            .physical(new ChoiceJoin("m", "words", 3))
            .exampleId("e")
            .input(WISH)
            .label(label)
            .judge("o4-mini")
            .build();
    return new Scorer(new Judge(ModelCatalogue.builtIn()))
        .score(task, outcome, judge, sampling.references());
  }
}
