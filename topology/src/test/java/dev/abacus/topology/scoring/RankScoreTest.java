package dev.abacus.topology.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.PointwiseRanking;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.SemanticRank;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.operator.join.References;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RankScoreTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final SemanticRank RANK =
      new SemanticRank("best", "in", "items", "It is ripe.", List.of("text"), 3, "name", "best");

  private static ArrayNode items(String... names) {
    ArrayNode items = JsonNodeFactory.instance.arrayNode();
    List.of(names).forEach(name -> items.addObject().put("name", name));
    return items;
  }

  /** Scores an order of the items a to e. */
  private static Score score(
      @Nullable String label, @Nullable String metric, ScriptedModelClient judge, String... best)
      throws Exception {
    Document input =
        Document.parse("{\"text\": \"hi\"}").with("items", items("a", "b", "c", "d", "e"));
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(RANK)
            .physical(new PointwiseRanking("gpt-4o"))
            .exampleId("e")
            .input(input)
            .label(label == null ? null : JSON.readTree(label))
            .metrics(metric == null ? Map.of() : Map.of("best", QualityMetric.parse(metric)))
            .judge("o4-mini")
            .build();
    return new Scorer(new Judge(ModelCatalogue.builtIn()))
        .score(
            task,
            new OperatorOutcome.Kept(input.with("best", items(best)), ExecutionStats.NONE),
            judge,
            References.NONE);
  }

  private static @Nullable Double quality(String label, String... best) throws Exception {
    return score(label, null, new ScriptedModelClient(), best).quality();
  }

  @Test
  void theDefaultIsTheGainDiscountedByThePlace() throws Exception {
    assertThat(quality("[\"a\", \"b\"]", "a", "b", "c")).isEqualTo(1.0);
    assertThat(quality("[\"a\", \"b\"]", "b", "a", "c")).isEqualTo(1.0);
    assertThat(quality("[\"a\"]", "c", "a", "b")).isCloseTo(0.6309, within(1e-4));
    assertThat(quality("[\"a\"]", "c", "d", "e")).isZero();
    assertThat(score("[\"a\"]", null, new ScriptedModelClient(), "a").scoredBy())
        .isEqualTo(ScoredBy.LABEL);
  }

  @Test
  void gainsExpressAnOrder() throws Exception {
    String label = "{\"a\": 3, \"b\": 2, \"c\": 1}";
    assertThat(quality(label, "a", "b", "c")).isEqualTo(1.0);
    assertThat(quality(label, "b", "a", "c")).isCloseTo(0.9225, within(1e-4));
    assertThat(quality(label, "c", "b", "a")).isCloseTo(0.7900, within(1e-4));
  }

  @Test
  void onlyTheItemsOfTheListAndThePlacesThatAreKeptCount() throws Exception {
    assertThat(quality("[\"a\", \"z\"]", "a", "b", "c")).isEqualTo(1.0);
    assertThat(quality("[\"a\", \"b\", \"c\", \"d\", \"e\"]", "c", "d", "e")).isEqualTo(1.0);
    assertThat(quality("[\"z\"]", "a", "b", "c")).isEqualTo(1.0);
    assertThat(quality("[]", "a", "b", "c")).isEqualTo(1.0);
  }

  @Test
  void otherMetricsCompareTheKeys() throws Exception {
    String label = "[\"a\", \"b\"]";
    assertThat(by("precision", label)).isCloseTo(1 / 3.0, within(1e-9));
    assertThat(by("recall", label)).isEqualTo(0.5);
    assertThat(by("rank-precision@1", label)).isZero();
    assertThat(by("ndcg@1", label)).isZero();
  }

  private static @Nullable Double by(String metric, String label) throws Exception {
    return score(label, metric, new ScriptedModelClient(), "c", "a", "d").quality();
  }

  @Test
  void withoutALabelTheJudgeSeesAllItemsAndTheOrder() throws Exception {
    ScriptedModelClient judge =
        new ScriptedModelClient(ScriptedModelClient.say("{\"score\": 0.7}"));
    assertThat(score(null, null, judge, "b", "a").quality()).isEqualTo(0.7);
    assertThat(judge.requests().getFirst().system()).contains("It is ripe.").contains("\"items\"");
    assertThat(ScriptedModelClient.words(judge.requests().getFirst()))
        .contains("{\"name\":\"e\"}")
        .contains("<output>\n[{\"name\":\"b\"},{\"name\":\"a\"}]");
  }

  @Test
  void aLabelOfAnotherFormIsNotComparedWith() throws Exception {
    assertThat(quality("{\"a\": true}", "a")).isNull();
    assertThat(quality("[{\"name\": \"a\"}]", "a")).isNull();
  }
}
