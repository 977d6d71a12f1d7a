package dev.abacus.topology.operator.join;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.expression.WhereExpression;
import dev.abacus.schemas.observation.Evidence;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.ChoiceJoin;
import dev.abacus.schemas.plan.EmbeddingJoin;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.plan.PhysicalOperator;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.technique.OperatorRuntime;
import dev.abacus.topology.scoring.Judge;
import dev.abacus.topology.scoring.Scorer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A join evaluates its condition in code before it compares a document with an item. */
class PairConditionTest extends FruitReference {

  private static final Document WISH =
      document("{\"wish\": \"round things\", \"sort\": \"b\", \"most\": 3}");

  /** A pair matches, and of a choice the first item. */
  private final ScriptedModelClient model =
      ScriptedModelClient.always(ScriptedModelClient.say("{\"satisfied\": true, \"items\": [1]}"));

  PairConditionTest() {
    for (String[] item :
        new String[][] {{"plum", "b", "3"}, {"fig", "b", "4"}, {"date", "c", "1"}}) {
      fruit.put(
          item[0],
          item(
              item[0], "round", ", \"sort\": \"%s\", \"price\": %s.0".formatted(item[1], item[2])));
    }
  }

  private static ReferenceJoin join(Map<String, String> on, @Nullable String where) {
    return new ReferenceJoin(
        "match",
        "in",
        "fruit",
        "The document wants it.",
        new PairCondition(on, where == null ? null : WhereExpression.compileForPairs(where)),
        List.of("wish"),
        JoinKind.LEFT,
        "fruit",
        true);
  }

  private List<String> matches(ReferenceJoin join, PhysicalOperator technique) throws Exception {
    OperatorOutcome outcome = operators.execute(join, technique, WISH, model);
    assertThat(outcome).as(outcome.toString()).isInstanceOf(OperatorOutcome.Kept.class);
    return names(((OperatorOutcome.Kept) outcome).document().get("fruit"));
  }

  static Stream<PhysicalOperator> techniques() {
    return Stream.of(
        new NestedLoopsJoin("m"),
        new EmbeddingJoin("m", "words", null, null),
        new ChoiceJoin("m", "words", 10));
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void everyTechniqueComparesTheItemsWithEqualFieldsOnly(PhysicalOperator technique)
      throws Exception {
    assertThat(matches(join(Map.of("sort", "sort", "most", "price"), null), technique))
        .containsExactly("plum");
    assertThat(model.requests()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void everyTechniqueComparesTheItemsForWhichWhereHoldsOnly(PhysicalOperator technique)
      throws Exception {
    String where = "has(item.price) && item.price > doc.most";

    assertThat(matches(join(Map.of(), where), technique)).containsExactly("fig");
    assertThat(model.requests()).hasSize(1);
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void withoutSuchAnItemThereIsNoMatchAndNoCall(PhysicalOperator technique) throws Exception {
    assertThat(matches(join(Map.of("missing", "sort"), null), technique)).isEmpty();
    assertThat(matches(join(Map.of("wish", "sort"), "item.price > 0"), technique)).isEmpty();
    assertThat(model.requests()).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("techniques")
  void withoutAValueTheDocumentFailsAndNoModelIsAsked(PhysicalOperator technique) throws Exception {
    OperatorOutcome outcome =
        operators.execute(join(Map.of(), "item.price > doc.most"), technique, WISH, model);

    assertThat(((OperatorOutcome.Failed) outcome).failure().message())
        .contains("'where' of join 'match' with item 'apple' of 'fruit'", "price");
    assertThat(model.requests()).isEmpty();
  }

  @Test
  void theIndexFollowsTheReference() throws Exception {
    ReferenceJoin join = join(Map.of("sort", "sort"), null);
    NestedLoopsJoin technique = new NestedLoopsJoin("m");
    assertThat(matches(join, technique)).containsExactly("fig", "plum");

    fruit.put("date", item("date", "round", ", \"sort\": \"b\""));
    fruit.put("fig", item("fig", "round", ", \"sort\": null"));
    assertThat(matches(join, technique)).containsExactly("date", "plum");

    fruit.remove("plum");
    assertThat(matches(join, technique)).containsExactly("date");
  }

  @Test
  void aSampleIsDrawnFromTheItemsThatMayMatch() throws Exception {
    for (int i = 0; i < 200; i++) {
      fruit.put(
          "x" + i, item("x" + i, "round", ", \"sort\": \"%s\"".formatted(i < 50 ? "b" : "z")));
    }
    ReferenceJoin join = join(Map.of("sort", "sort"), null);
    ArrayNode label = JsonNodeFactory.instance.arrayNode().add("x7").add("x199");
    OperatorRuntime sample = operators.forSample(join, WISH, label, "e").operators();
    OperatorOutcome outcome = sample.execute(join, new NestedLoopsJoin("m"), WISH, model);

    List<Evidence.Pair> pairs =
        ((Evidence.Pairs) Objects.requireNonNull(outcome.evidence())).pairs();
    assertThat(pairs).hasSize(SampledReferences.PAIRS);
    assertThat(pairs.stream().mapToDouble(Evidence.Pair::weight).sum()).isEqualTo(52);
    assertThat(pairs).extracting(Evidence.Pair::item).contains("x7").doesNotContain("x199");

    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(join)
            .physical(new NestedLoopsJoin("m"))
            .exampleId("e")
            .input(WISH)
            .label(label)
            .metrics(Map.of("match", new QualityMetric.Recall()))
            .judge("o4-mini")
            .build();
    // The label names an item that code rejects: a match that every technique misses.
    assertThat(
            new Scorer(new Judge(ModelCatalogue.builtIn()))
                .score(task, outcome, model, sample.references())
                .quality())
        .isEqualTo(0.5);
  }
}
