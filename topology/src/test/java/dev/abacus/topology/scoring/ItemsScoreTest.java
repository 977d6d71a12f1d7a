package dev.abacus.topology.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.abacus.schemas.catalogue.ModelCatalogue;
import dev.abacus.schemas.document.Document;
import dev.abacus.schemas.observation.Observation.ScoredBy;
import dev.abacus.schemas.observation.SampleTask;
import dev.abacus.schemas.plan.NestedLoopsJoin;
import dev.abacus.schemas.program.JoinKind;
import dev.abacus.schemas.program.LogicalOperator;
import dev.abacus.schemas.program.PairCondition;
import dev.abacus.schemas.program.QualityMetric;
import dev.abacus.schemas.program.ReferenceJoin;
import dev.abacus.schemas.program.TopK;
import dev.abacus.topology.model.ExecutionStats;
import dev.abacus.topology.model.ScriptedModelClient;
import dev.abacus.topology.operator.OperatorOutcome;
import dev.abacus.topology.reference.ReferenceCollection;
import dev.abacus.topology.reference.index.ExactIndex;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The keys of items are compared with labels. */
class ItemsScoreTest {

  private static final JsonMapper JSON = JsonMapper.builder().build();
  private static final TopK TOP_K = new TopK("find", "in", "fruit", List.of("text"), 3, "found");
  private static final ReferenceJoin JOIN =
      new ReferenceJoin(
          "match",
          "in",
          "fruit",
          "It fits.",
          PairCondition.NONE,
          List.of("text"),
          JoinKind.INNER,
          "item",
          false);

  private final ReferenceCollection fruit =
      new ReferenceCollection("fruit", "name", ExactIndex::new);

  private Score score(
      LogicalOperator operator,
      OperatorOutcome outcome,
      @Nullable String label,
      Map<String, QualityMetric> metrics,
      ScriptedModelClient judge)
      throws Exception {
    JsonNode parsed = label == null ? null : JSON.readTree(label);
    SampleTask task =
        SampleTask.builder("t", "p")
            .operator(operator)
            .physical(new NestedLoopsJoin("gpt-4o"))
            .exampleId("e")
            .input(Document.parse("{\"text\": \"hi\"}"))
            .label(parsed)
            .metrics(metrics)
            .judge("o4-mini")
            .build();
    return new Scorer(new Judge(ModelCatalogue.builtIn()))
        .score(task, outcome, judge, name -> name.equals("fruit") ? fruit : null);
  }

  private Score score(LogicalOperator operator, OperatorOutcome outcome, String label)
      throws Exception {
    return score(operator, outcome, label, Map.of(), new ScriptedModelClient());
  }

  private static OperatorOutcome found(String... names) throws Exception {
    List<String> items = new ArrayList<>();
    for (String name : names) {
      items.add("{\"name\": \"" + name + "\", \"text\": \"x\"}");
    }
    return new OperatorOutcome.Kept(
        Document.parse("{\"text\": \"hi\", \"found\": [" + String.join(",", items) + "]}"),
        ExecutionStats.NONE);
  }

  private static OperatorOutcome joined(String... names) throws Exception {
    List<Document> outputs = new ArrayList<>();
    for (String name : names) {
      outputs.add(Document.parse("{\"text\": \"hi\", \"item\": {\"name\": \"" + name + "\"}}"));
    }
    return new OperatorOutcome.Kept(outputs, ExecutionStats.NONE, null);
  }

  @Test
  void aTopKIsScoredByF1OfTheKeys() throws Exception {
    Score score =
        score(TOP_K, found("red apple", "pear", "fig"), "[\"red apple\", \"green apple\"]");

    assertThat(score.quality()).isEqualTo(0.4);
    assertThat(score.scoredBy()).isEqualTo(ScoredBy.LABEL);
    assertThat(score(TOP_K, found(), "[]").quality()).isEqualTo(1.0);
  }

  @Test
  void theScoreOfATopKFallsIfMoreItemsFindNothingMore() throws Exception {
    String label = "[\"fig\", \"pear\"]";

    assertThat(score(TOP_K, found("fig", "pear"), label).quality()).isEqualTo(1.0);
    assertThat(score(TOP_K, found("fig", "pear", "kiwi", "lime"), label).quality())
        .isLessThan(score(TOP_K, found("fig", "pear", "kiwi"), label).quality());
  }

  @Test
  void recallAndPrecisionOfATopKCompareWholeKeys() throws Exception {
    String label = "[\"red apple\", \"green apple\"]";
    OperatorOutcome outcome = found("red apple", "big apple", "fig", "pear");

    assertThat(score(TOP_K, outcome, label, "recall")).isEqualTo(0.5);
    assertThat(score(TOP_K, found("pear"), "[]", "recall")).isEqualTo(1.0);
    assertThat(score(TOP_K, outcome, label, "precision")).isEqualTo(0.25);
  }

  private @Nullable Double score(
      LogicalOperator operator, OperatorOutcome outcome, String label, String metric)
      throws Exception {
    Map<String, QualityMetric> metrics = Map.of(operator.id(), QualityMetric.parse(metric));
    return score(operator, outcome, label, metrics, new ScriptedModelClient()).quality();
  }

  @Test
  void aTopKMayBeScoredByItsRanks() throws Exception {
    Map<String, QualityMetric> metrics = Map.of("find", new QualityMetric.RankPrecision(1));
    Score score =
        score(TOP_K, found("pear", "fig"), "[\"fig\"]", metrics, new ScriptedModelClient());

    assertThat(score.quality()).isZero();
  }

  @Test
  void aJoinIsScoredByF1OfTheKeys() throws Exception {
    assertThat(score(JOIN, joined("a", "b", "c"), "[\"a\", \"b\"]").quality()).isEqualTo(0.8);
    assertThat(score(JOIN, joined(), "[\"a\"]").quality()).isZero();
    assertThat(score(JOIN, joined(), "[]").quality()).isEqualTo(1.0);
    assertThat(score(JOIN, joined("7"), "[7]").quality()).isEqualTo(1.0);
    assertThat(score(JOIN, joined("a"), "\"a\"").quality()).isEqualTo(1.0);
  }

  @Test
  void withoutALabelTheJudgeIsAsked() throws Exception {
    ScriptedModelClient judge =
        new ScriptedModelClient(ScriptedModelClient.say("{\"score\": 0.7}"));
    Score score = score(TOP_K, found("a"), null, Map.of(), judge);

    assertThat(score.quality()).isEqualTo(0.7);
    assertThat(judge.requests().getFirst().system()).contains("text");
  }

  @Test
  void aLabelThatIsNoListOfKeysIsNotComparedWith() throws Exception {
    assertThat(score(JOIN, joined("a"), "{\"a\": true}").quality()).isNull();
  }
}
